import { type DeepReadonly, type KubeObject, wideJson } from '@windlass/apimachinery';
import { cutJson } from './json-parts.ts';
import type { Packed, PackedParts } from './protocol.ts';

/** The JSON of an object whose resource version is not known yet. */
export interface UnstampedJson extends PackedParts {
  /** With an empty resource version. */
  readonly bytes: Packed;
  /** Where the quotes of the resource version begin. */
  readonly versionAt: number;
}

const EMPTY = '""';

/** The same bytes as `JSON.stringify` makes of the object once it is stamped, but for the version. */
export function packUnstamped(object: DeepReadonly<KubeObject>): UnstampedJson {
  const fields: object = { ...object, metadata: { ...object.metadata, resourceVersion: '' } };
  const parts: string[] = [];
  let versionAt = 0;
  const write = (text: string): void => void parts.push(text);
  const writeFields = (
    value: object,
    writeValue: (name: string, json: string, of: unknown) => void,
  ): void => {
    let separator = '{';
    for (const [name, item] of Object.entries(value)) {
      // JSON has no undefined: such a field is left out.
      const json: string | undefined = wideJson(item);
      if (json === undefined) continue;
      write(`${separator}${JSON.stringify(name)}:`);
      writeValue(name, json, item);
      separator = ',';
    }
    write('}');
  };
  writeFields(fields, (field, json, value) => {
    if (field !== 'metadata' || typeof value !== 'object' || value === null) return write(json);
    writeFields(value, (name, text) => {
      if (name === 'resourceVersion')
        versionAt = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      write(text);
    });
  });
  const json = parts.join('');
  // A buffer of its own: of a piece of a pool the whole pool would be copied to the other thread.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return { bytes, versionAt, cut: cutJson(bytes) };
}

/** In a buffer of its own. */
export function stampedBytes({ bytes, versionAt }: Omit<UnstampedJson, 'cut'>, revision: number): Buffer {
  const version = `"${revision}"`;
  const stamped = Buffer.allocUnsafeSlow(bytes.byteLength - EMPTY.length + version.length);
  stamped.set(bytes.subarray(0, versionAt));
  stamped.write(version, versionAt);
  stamped.set(bytes.subarray(versionAt + EMPTY.length), versionAt + version.length);
  return stamped;
}
