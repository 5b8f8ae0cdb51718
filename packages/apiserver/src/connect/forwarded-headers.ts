/** Headers that are about one connection only, and never handed on. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a client says to the API server alone: who it is, and as whom it wants to act. */
function isForServer(name: string): boolean {
  return name === 'authorization' || name.startsWith('impersonate-') || name.startsWith('x-remote-');
}

export interface ForwardOptions {
  readonly host: string;
  /** Where the request came from, as far as the server knows. */
  readonly sourceAddress?: string | undefined;
  /** Whether the other side is asked for another protocol, as the client asks for it. */
  readonly isUpgrade: boolean;
}

/** The headers of a request as they are handed on to a node or a pod. */
export function forwardedHeaders(
  headers: Readonly<Record<string, string>>,
  { host, sourceAddress, isUpgrade }: ForwardOptions,
): Record<string, string> {
  const named = namedIn(headers);
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (!HOP_BY_HOP.has(name) && !named.has(name) && !isForServer(name)) forwarded[name] = value;
  const before = headers['x-forwarded-for'];
  return {
    ...forwarded,
    host,
    ...(sourceAddress !== undefined && {
      'x-forwarded-for': before === undefined ? sourceAddress : `${before}, ${sourceAddress}`,
    }),
    ...(isUpgrade && { connection: 'Upgrade', upgrade: headers['upgrade'] ?? '' }),
  };
}

/** The headers of an answer as the client gets them. */
export function returnedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = namedIn(headers);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  );
}

/** A sender may name more headers that are about its connection only. */
function namedIn(headers: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set((headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
