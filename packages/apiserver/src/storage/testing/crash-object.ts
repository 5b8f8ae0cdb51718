import { crc32 } from 'node:zlib';
import type { KubeObject } from '@windlass/apimachinery';
import type { StoredObject } from '../store.ts';

interface CrashObject extends KubeObject {
  spec: { serial: number; filler: string; digest: number };
}

/** An object that shows when it is not whole. */
export function crashObject(name: string, serial: number, size: number): CrashObject {
  const filler = String.fromCharCode(97 + (serial % 26)).repeat(size);
  return {
    apiVersion: 'test/v1',
    kind: 'Crash',
    metadata: { name },
    spec: { serial, filler, digest: crc32(`${name} ${serial} ${filler}`) },
  };
}

/** The serial of an object that `crashObject` made; throws when it is not as it was made. */
export function wholeSerial(stored: StoredObject): number {
  const { metadata, spec } = stored.object as CrashObject;
  if (crc32(`${metadata?.name ?? ''} ${spec.serial} ${spec.filler}`) !== spec.digest) {
    throw new Error(`"${stored.key}" is not whole at revision ${stored.revision}`);
  }
  return spec.serial;
}
