import { apiVersionOf, type Schema } from '@windlass/apimachinery';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Draft, Stored } from '../../resource/strategy.ts';
import { hasDefaults, withDefaults } from '../schema/defaulting.ts';

/** Turns objects of one version into another's form. Does not change what it is given. */
export interface Converter {
  convert(object: Stored, toApiVersion: string): Promise<Stored>;
}

export interface StorageFormOptions {
  readonly group: string;
  readonly version: string;
  readonly storageVersion: string;
  readonly schema: Schema;
  /** Undefined when versions differ by nothing but `apiVersion`. */
  readonly converter: Converter | undefined;
}

type StorageForm = Pick<ResourceDefinition['storage'], 'convertFromStorage' | 'convertToStorage'>;

/**
 * How a version's objects come out of the store and go into it. Defaults that were added to a schema after
 * an object was written are filled in when it is read; the result is kept for as long as the stored object
 * is, because everything that reads it shares it.
 */
export function storageForm(options: StorageFormOptions): StorageForm {
  const { group, version, storageVersion, schema, converter } = options;
  const apiVersion = apiVersionOf({ group, version });
  const storageApiVersion = apiVersionOf({ group, version: storageVersion });
  const mayDefault = hasDefaults(schema);
  // An object may be in the form of a version that was the storage version before.
  const served = (object: Stored): Stored => {
    const named = object.apiVersion === apiVersion ? object : { ...object, apiVersion };
    return mayDefault ? withDefaults(named, schema) : named;
  };
  const known = new WeakMap<Stored, Stored | Promise<Stored>>();
  const convertFromStorage = (object: Stored): Stored | Promise<Stored> => {
    const before = known.get(object);
    if (before !== undefined) return before;
    const converted =
      converter === undefined || object.apiVersion === apiVersion
        ? served(object)
        : converter.convert(object, apiVersion).then((other) => {
            const result = served(other);
            known.set(object, result);
            return result;
          });
    if (converted !== object) known.set(object, converted);
    // A conversion that failed may succeed the next time.
    if (converted instanceof Promise) converted.catch(() => known.delete(object));
    return converted;
  };
  if (version === storageVersion) return { convertFromStorage };
  return {
    convertFromStorage,
    convertToStorage: (draft: Draft): Draft | Promise<Draft> =>
      converter === undefined
        ? { ...draft, apiVersion: storageApiVersion }
        : // The converter makes a new object, which nobody else has.
          converter.convert(draft, storageApiVersion).then((object) => object as Draft),
  };
}
