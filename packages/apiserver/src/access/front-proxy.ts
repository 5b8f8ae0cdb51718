import { X509Certificate } from 'node:crypto';
import type { KeyPair } from '@windlass/base';

/** Who may say, as a proxy, who asks: this server to others, and others to this server. */
export interface FrontProxyOptions {
  /** PEM of the authority of front proxies. */
  readonly ca: string;
  /** This server as a front proxy of others. */
  readonly client: KeyPair;
  /** Common names that the certificates of front proxies may have. @default that of `client` alone */
  readonly allowedNames?: readonly string[];
}

/** An empty list would allow every name. */
export function allowedNamesOf({ allowedNames, client }: FrontProxyOptions): readonly string[] {
  if (allowedNames !== undefined) return allowedNames;
  const name = /^CN=(.*)$/m.exec(new X509Certificate(client.cert).subject)?.[1];
  return name === undefined ? [] : [name];
}
