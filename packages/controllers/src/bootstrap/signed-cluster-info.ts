import { type Cached, isBootstrapTokenExpired, readBootstrapToken } from '@windlass/apimachinery';
import type { Secret } from '@windlass/apimachinery/api/core/v1';
import { detachedSignature } from '@windlass/base';

const KUBECONFIG = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

type Data = Record<string, string>;

/** What `cluster-info` says with the signatures of these tokens and no others, and when the next of them ends. */
export function signedClusterInfo(
  data: Readonly<Data>,
  secrets: Iterable<Cached<Secret>>,
  now: number,
): { readonly data: Data; readonly nextEnd: number | undefined } {
  const kubeconfig = data[KUBECONFIG];
  if (kubeconfig === undefined) return { data: { ...data }, nextEnd: undefined };
  const signed = Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE)));
  let nextEnd: number | undefined;
  for (const secret of secrets) {
    const token = readBootstrapToken(secret);
    if (token === undefined || !token.usages.includes('signing') || isBootstrapTokenExpired(token, now))
      continue;
    signed[SIGNATURE + token.id] = detachedSignature(kubeconfig, token.id, token.secret);
    if (token.expiresAt !== undefined) nextEnd = Math.min(token.expiresAt, nextEnd ?? token.expiresAt);
  }
  return { data: signed, nextEnd };
}
