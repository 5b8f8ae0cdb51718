import type { Impersonation } from '../config.ts';

/** Characters that a header name may hold as they are, without the percent sign itself. */
const PLAIN = /[A-Za-z0-9!#$&'*+\-.^_`|~]/;

/** The headers that ask the server to treat a request as somebody else's. Groups are one header each. */
export function impersonationHeaders(as: Impersonation | undefined): Record<string, string | string[]> {
  if (as === undefined) return {};
  const headers: Record<string, string | string[]> = { 'impersonate-user': as.user };
  if (as.uid !== undefined) headers['impersonate-uid'] = as.uid;
  if (as.groups !== undefined && as.groups.length > 0) headers['impersonate-group'] = [...as.groups];
  for (const [key, values] of Object.entries(as.extra ?? {})) {
    headers[`impersonate-extra-${encodeHeaderName(key.toLowerCase())}`] = [...values];
  }
  return headers;
}

/** An extra key may hold any character; what no header name can hold is percent-encoded. */
function encodeHeaderName(key: string): string {
  let name = '';
  for (const byte of Buffer.from(key, 'utf8')) {
    const character = String.fromCharCode(byte);
    name += PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return name;
}
