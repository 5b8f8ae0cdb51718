import { type ClientSessionOptions, type SecureClientSessionOptions } from 'node:http2';
import { connect } from 'node:net';

/** Where a server listens: a socket of this machine, or an address. */
export type Target = { readonly socketPath: string } | AddressTarget;

/** A server elsewhere. */
export interface AddressTarget {
  /** `http://10.0.0.1:2379`; `https://…` for TLS. */
  readonly url: string;
  /** Of an address with `https`. @default the machine's authorities, and no certificate of our own */
  readonly tls?: TlsOptions | undefined;
}

/** Whom a client trusts, and how it shows who it is. In PEM. */
export interface TlsOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** How much may be under way to us: with the 64 KiB that HTTP/2 begins with, large answers come in many round trips. */
export const WINDOW_BYTES: number = 4 * 1024 * 1024;

/** What a server is called in messages. */
export function targetName(target: Target): string {
  return 'url' in target ? target.url : target.socketPath;
}

/** Of one call: as the window of the whole connection. */
const SETTINGS = { initialWindowSize: WINDOW_BYTES, enablePush: false };

/** The authority and the options with which HTTP/2 connects to it. */
export function connectionOf(
  target: Target,
): readonly [authority: string, options: ClientSessionOptions | SecureClientSessionOptions] {
  if (!('url' in target))
    return ['http://localhost', { createConnection: () => connect(target.socketPath), settings: SETTINGS }];
  const { ca, cert, key } = target.tls ?? {};
  return [
    target.url,
    {
      settings: SETTINGS,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
  ];
}
