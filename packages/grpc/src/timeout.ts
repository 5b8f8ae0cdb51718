const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Milliseconds of a `grpc-timeout` header; undefined where it is none. */
export function parseTimeout(text: string): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0);
}

/** At most eight digits; rounded up, so that the server is never the stricter one. */
export function formatTimeout(ms: number): string {
  for (const unit of ['m', 'S', 'M'] as const) {
    const count = Math.ceil(ms / (UNIT_MS[unit] ?? 1));
    if (count < 1e8) return `${Math.max(count, 0)}${unit}`;
  }
  return '99999999H';
}
