import { InvalidKeyError } from '../errors.ts';
import type { DeepReadonly, KubeObject } from '../object.ts';
import { goQuote } from '../text/go-text.ts';

/**
 * What caches and queues know an object by: `namespace/name`, or `name` alone at the cluster scope. A
 * key is no identity: an object that was deleted and made again has the same key and another uid.
 */
export type ObjectKey = string;

/** A key in its two parts. The namespace is empty at the cluster scope. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object that has a name. */
export function keyOf(object: DeepReadonly<KubeObject>): ObjectKey {
  const metadata = object.metadata;
  if (metadata?.name === undefined || metadata.name === '')
    throw new InvalidKeyError(
      `${object.kind ?? 'an object'} has no metadata.name, so it has no key; give it one before it is stored`,
    );
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

/** `namespace/name`, or only the name for an object without a namespace. */
export function joinKey(namespace: string | undefined, name: string): ObjectKey {
  return namespace ? `${namespace}/${name}` : name;
}

/** The reverse of `joinKey`. A key with more than one slash is none. */
export function splitKey(key: ObjectKey): ObjectName {
  const slash = key.indexOf('/');
  if (slash === -1) return { namespace: '', name: key };
  if (key.includes('/', slash + 1)) throw new InvalidKeyError(`unexpected key format: ${goQuote(key)}`);
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
