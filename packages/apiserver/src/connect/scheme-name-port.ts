export interface SchemeNamePort {
  readonly isTls: boolean;
  readonly name: string;
  /** Empty when none is named. */
  readonly port: string;
}

/** Reads `NAME`, `NAME:PORT` and `SCHEME:NAME:PORT`; undefined when it is none of them. */
export function schemeNamePort(text: string): SchemeNamePort | undefined {
  const parts = text.split(':');
  if (parts.length > 3) return undefined;
  const [scheme = '', name = '', port = ''] =
    parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  if (name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined;
  return { isTls: scheme === 'https', name, port };
}
