// Objects written and removed behind the API server's back, by etcd's JSON gateway: thousands in a second,
// and also while no API server runs.
import type { KubeObject } from '@windlass/apimachinery';

/** As many as etcd takes in one transaction. */
const OPERATIONS = 128;

/** Where the API server keeps an object of `configmaps`, or of `group/plural` for a custom resource. */
function storageKey(resource: string, { metadata }: KubeObject): string {
  const { namespace, name = '' } = metadata ?? {};
  return ['/registry', resource, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}

/** The API server reads JSON there as well as the form that it writes itself. */
export function putObjects(etcdUrl: string, resource: string, objects: readonly KubeObject[]): Promise<void> {
  return transactions(
    etcdUrl,
    objects.map((object) => ({
      requestPut: { key: base64(storageKey(resource, object)), value: base64(JSON.stringify(object)) },
    })),
  );
}

export function deleteObjects(
  etcdUrl: string,
  resource: string,
  objects: readonly KubeObject[],
): Promise<void> {
  return transactions(
    etcdUrl,
    objects.map((object) => ({ requestDeleteRange: { key: base64(storageKey(resource, object)) } })),
  );
}

async function transactions(etcdUrl: string, operations: readonly object[]): Promise<void> {
  for (let at = 0; at < operations.length; at += OPERATIONS) {
    const body = JSON.stringify({ success: operations.slice(at, at + OPERATIONS) });
    const response = await fetch(`${etcdUrl}/v3/kv/txn`, { method: 'POST', body });
    if (!response.ok) throw new Error(`etcd answers ${response.status}: ${await response.text()}`);
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export interface EtcdPair {
  readonly key: string;
  readonly value: Buffer;
}

/** What etcd has at a key, or at all keys that begin so. */
export async function etcdPairs(etcdUrl: string, key: string, isPrefix = false): Promise<EtcdPair[]> {
  const end = `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) + 1)}`;
  const body = JSON.stringify({ key: base64(key), ...(isPrefix && { range_end: base64(end) }) });
  const response = await fetch(`${etcdUrl}/v3/kv/range`, { method: 'POST', body });
  if (!response.ok) throw new Error(`etcd answers ${response.status}: ${await response.text()}`);
  const { kvs = [] } = (await response.json()) as { kvs?: { key: string; value: string }[] }; // etcd's JSON gateway
  return kvs.map((pair) => ({
    key: String(Buffer.from(pair.key, 'base64')),
    value: Buffer.from(pair.value, 'base64'),
  }));
}
