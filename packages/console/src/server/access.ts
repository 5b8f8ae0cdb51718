import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface AccessOptions {
  /** Undefined: whoever reaches the server may look. Something in front of it decides. */
  readonly token: string | undefined;
  /** Where it listens. Two consoles on one host must not share a cookie. */
  readonly port: () => number;
}

export type Verdict =
  | { readonly allow: true; readonly setCookie?: string }
  | { readonly allow: false; readonly status: 401 | 403; readonly why: string };

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a request may be answered. The console listens on loopback, where every page of every browser tab can reach
 * it: so the host must be a loopback name (a foreign name that resolves to loopback is an attack), the origin must be
 * ours, and the token must be known, as with notebooks.
 */
export function judge(request: IncomingMessage, url: URL, { token, port }: AccessOptions): Verdict {
  const host = request.headers.host ?? '';
  const name = host.replace(/:\d+$/, '');
  if (!LOOPBACK.has(name))
    return {
      allow: false,
      status: 403,
      why: `the host ${JSON.stringify(host)} is not a name of this machine`,
    };
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return { allow: false, status: 403, why: `pages of ${origin} may not use this console` };
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && request.method !== 'GET')
    return { allow: false, status: 403, why: 'other sites may not use this console' };
  if (token === undefined) return { allow: true };
  const given = url.searchParams.get('token');
  const cookie = `windlass-console-${port()}`;
  if (given !== null && isSame(given, token))
    return { allow: true, setCookie: `${cookie}=${token}; Path=/; HttpOnly; SameSite=Strict` };
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const kept = cookieOf(request.headers.cookie ?? '', cookie);
  if ([bearer, kept].some((text) => text !== undefined && isSame(text, token))) return { allow: true };
  return {
    allow: false,
    status: 401,
    why: 'the token is missing or wrong; open the address that the program printed when it started',
  };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
