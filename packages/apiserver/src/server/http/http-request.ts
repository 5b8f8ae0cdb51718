// What the front reads off a request before anything is done with it.
import type { IncomingHttpHeaders } from 'node:http';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { newBadRequest } from '@windlass/apimachinery';
import type { Credentials } from '../../access/user.ts';
import { first, type Query } from '../../request/list-options.ts';

/** A certificate, and the fingerprint of the authority at the end of its chain, where that is known. */
export type ShownCertificate = NonNullable<Credentials['certificate']> & { readonly root?: string };

/** A longer chain is nobody's. */
const MAX_CHAIN = 10;

/** @throws StatusError 400 when the path has an escape that means nothing */
export function splitUrl(url: string): { path: string; query: Query } {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  checkEscapes(path);
  if (mark === -1) return { path, query: {} };
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return { path, query };
}

function checkEscapes(path: string): void {
  if (!path.includes('%')) return;
  try {
    decodeURIComponent(path);
  } catch {
    throw newBadRequest(`the path ${JSON.stringify(path.slice(0, 256))} has an invalid percent escape`);
  }
}

export function firstValue(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text === '' ? undefined : text;
}

export function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':'))
      flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

/** People with a browser or curl get lines they can read. */
export function isPretty(headers: IncomingHttpHeaders, query: Query): boolean {
  const asked = first(query['pretty']);
  if (asked !== undefined) return asked !== 'false' && asked !== '0';
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

export function acceptsGzip(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> | undefined,
): boolean {
  const accepts = headers?.['accept-encoding'];
  return typeof accepts === 'string' && accepts.includes('gzip');
}

/** Of the certificate that the client showed, verified or not. */
export function certificateOf(socket: TLSSocket): ShownCertificate | undefined {
  // Null when the connection has closed meanwhile, which the type does not say.
  const certificate = socket.getPeerCertificate(true) as Partial<DetailedPeerCertificate> | null;
  const subject = certificate?.subject;
  if (subject === undefined || subject === null) return undefined;
  const names: readonly (string | string[] | undefined)[] = [subject.CN, subject.O];
  const [commonName, organizations] = names.map((value) =>
    value === undefined ? [] : typeof value === 'string' ? [value] : value,
  );
  // Of several the last one counts, as in Go and for whoever approved the request for the certificate.
  const root = rootOf(certificate);
  return {
    commonName: commonName?.at(-1) ?? '',
    organizations: organizations ?? [],
    ...(root !== undefined && { root }),
  };
}

/** Follows the issuers up to the one that has signed itself. */
function rootOf(certificate: Partial<DetailedPeerCertificate> | null): string | undefined {
  let current = certificate;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const issuer: Partial<DetailedPeerCertificate> | undefined = current?.issuerCertificate;
    if (issuer === undefined || issuer === current) break;
    current = issuer;
  }
  return current?.fingerprint256;
}
