// How a machine that trusts nobody finds out that it speaks with the right cluster, as kubeadm's discovery does: the
// token signs where the cluster is, and the hash names its authority.
import { request } from 'node:https';
import { type BootstrapTokenText, isJsonObject } from '@windlass/apimachinery';
import { type Clock, detachedSignature, sleep, toError, withDeadline } from '@windlass/base';
import { authorityHashes, type ClusterInfo, readClusterInfo } from '../token/join-command.ts';

const PATH = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
/** Whoever answers first is a stranger. */
const MAX_BYTES = 2 ** 20;
const ANSWER_MS = 10_000;
const RETRY_MS = 1000;

/** What it would not help to try again. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';
}

/** Asks for `cluster-info`. Undefined as authority: whoever answers is listened to, and told nothing. */
export type FetchClusterInfo = (authority: string | undefined, signal: AbortSignal) => Promise<Data>;

type Data = Readonly<Record<string, string>>;

/** How to know the cluster. */
export interface DiscoveryOptions {
  readonly fetch: FetchClusterInfo;
  readonly token: BootstrapTokenText;
  /** Hashes of the public keys that its authority may have, as `sha256:HEX`. Empty: any that the token signs. */
  readonly hashes: readonly string[];
  readonly clock: Clock;
  /** How long an address that does not answer, and a signature that is not there yet, are waited for. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Where the cluster is and whom to trust.
 * @throws DiscoveryError
 */
export async function discoverCluster(options: DiscoveryOptions): Promise<ClusterInfo> {
  const { fetch, token, hashes, signal } = options;
  const kubeconfig = await signedKubeconfig(options);
  const info = readClusterInfo(kubeconfig);
  if (hashes.length === 0) return info;
  const found = authorityHashes(info.authority);
  if (!found.some((hash) => hashes.includes(hash)))
    throw new DiscoveryError(
      `the cluster's authority has the hash ${found.join(', ') || 'of no key'}, and not the one of --discovery-token-ca-cert-hash; ` +
        'use the command that windlass token create --print-join-command prints for this cluster',
    );
  // The token alone is known to all who have it. This time whoever answers must have the authority's certificate.
  const again = await fetch(info.authority, signal);
  if (again['kubeconfig'] !== kubeconfig || !isSigned(again, kubeconfig, token))
    throw new DiscoveryError('the cluster said something else the second time; run the command again');
  return info;
}

async function signedKubeconfig(options: DiscoveryOptions): Promise<string> {
  const { fetch, token, clock, patienceMs, signal } = options;
  const until = clock.monotonic() + patienceMs;
  for (;;) {
    let problem: Error;
    try {
      const data = await fetch(undefined, signal);
      const { kubeconfig } = data;
      const signature = data[signatureKey(token)];
      if (kubeconfig !== undefined && signature !== undefined) {
        if (isSigned(data, kubeconfig, token)) return kubeconfig;
        throw new DiscoveryError(
          `what the cluster says is not signed with this token: its second half is wrong, or this is another cluster`,
        );
      }
      problem = new DiscoveryError(
        `the cluster knows no token ${token.id}, or its time is over; windlass token create makes another`,
      );
    } catch (error) {
      if (error instanceof DiscoveryError) throw error;
      signal.throwIfAborted();
      problem = toError(error);
    }
    if (clock.monotonic() >= until) throw problem;
    await sleep(clock, RETRY_MS, signal);
  }
}

const signatureKey = ({ id }: BootstrapTokenText): string => `jws-kubeconfig-${id}`;

function isSigned(data: Data, kubeconfig: string, token: BootstrapTokenText): boolean {
  return data[signatureKey(token)] === detachedSignature(kubeconfig, token.id, token.secret);
}

/** Over HTTPS, from an address such as `192.0.2.7:7443`. */
export function fetchClusterInfoFrom(address: string, clock: Clock): FetchClusterInfo {
  return async (authority, signal) => {
    using deadline = withDeadline(clock, ANSWER_MS, `the answer of ${address}`, signal);
    const { status, body } = await answerOf(address, authority, deadline.signal);
    return dataOf(address, status, body);
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function answerOf(address: string, ca: string | undefined, signal: AbortSignal): Promise<Answer> {
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(PATH, `https://${address}`),
      { ...trust, signal, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_BYTES)
            asked.destroy(new DiscoveryError(`${address} answers more than a cluster would`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    asked.on('error', (error) =>
      reject(
        error instanceof DiscoveryError
          ? error
          : new Error(`${address} does not answer: ${error.message}`, { cause: error }),
      ),
    );
    asked.end();
  });
}

function dataOf(address: string, status: number, body: string): Data {
  if (status === 401)
    throw new DiscoveryError(
      `${address} answers nobody whom it does not know; start the cluster without --anonymous-auth=false`,
    );
  if (status !== 200)
    throw new Error(`${address} has no cluster-info that machines may read: it answers ${status}`);
  const object: unknown = parsed(body);
  const data = isJsonObject(object) ? object['data'] : undefined;
  if (!isJsonObject(data)) throw new Error(`${address} is no API server: what it answers is no ConfigMap`);
  const texts = Object.entries(data).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
