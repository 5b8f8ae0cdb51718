import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { decodeValue, encodeValue } from './values.ts';

/** What stands in etcd for an object. A codec may encrypt; the key is part of what it vouches for. */
export interface ValueCodec {
  encode(etcdKey: string, object: DeepReadonly<KubeObject>): Buffer;
  /** Stamped with the revision. @throws Error when the bytes are none of an object */
  decode(etcdKey: string, value: Uint8Array, revision: number): KubeObject;
}

/** As they are. */
export const PLAIN_VALUES: ValueCodec = {
  encode: (_, object) => encodeValue(object),
  decode: (_, value, revision) => decodeValue(value, revision),
};
