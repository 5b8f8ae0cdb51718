// Where a webhook is, and whom it may be: the same for admission and for conversion.
import { posix } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import type { ServiceResolver } from './service-resolver.ts';

/** What configurations of webhooks have in common. */
export interface WebhookClient {
  readonly url?: string;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string;
    readonly port?: number;
  };
}

export interface WebhookTarget {
  readonly url: URL;
  /** The name that the certificate must be for. */
  readonly serverName: string;
}

/** @throws Error when the service has no address */
export async function webhookTarget(
  { url: given, service }: WebhookClient,
  resolve: ServiceResolver,
): Promise<WebhookTarget> {
  if (given !== undefined) {
    const url = webhookUrl(given, new URL(given).pathname);
    return { url, serverName: url.hostname };
  }
  const { namespace = '', name = '', path = '', port = 443 } = service ?? {};
  const found = await resolve(namespace, name, port);
  if (found === undefined) throw new Error(`service "${namespace}/${name}" has no address on port ${port}`);
  const host = found.host.includes(':') ? `[${found.host}]` : found.host;
  return { url: webhookUrl(`https://${host}:${found.port}`, path), serverName: `${name}.${namespace}.svc` };
}

/** Addresses are no names for SNI; certificates are then checked against the address. */
export function serverNameOption(serverName: string): { readonly servername?: string } {
  return /^[\d.]+$|:/.test(serverName) ? {} : { servername: serverName };
}

/** A URL with its path as Go's clients clean it: no double slashes, no dots, no slash at the end. */
export function webhookUrl(origin: string, path: string): URL {
  const url = new URL(origin);
  // The setter escapes what would begin a query or a fragment.
  url.pathname = cleanPath(path);
  return url;
}

function cleanPath(path: string): string {
  const joined = posix.join('/', path);
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

/**
 * Trusts what the bundle has, in base64. Each certificate in it is trusted for itself, also one that somebody else has
 * signed: bundles often have the certificate of the webhook alone, or of an intermediate authority.
 */
export function webhookTrust(caBundle: string | undefined): SecureContextOptions {
  if (caBundle === undefined || caBundle === '') return {};
  return { ca: Buffer.from(caBundle, 'base64'), allowPartialTrustChain: true };
}
