import type { CelType } from './cel-type.ts';
import type { Declarations } from './declarations.ts';
import { Duration, Optional, TypeValue, Uint } from './values.ts';

/** Whether a value is of a type. Of lists and maps only themselves are looked at, not what is in them. */
export function hasType(value: unknown, type: CelType, declarations: Declarations): boolean {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'timestamp':
      return value instanceof Date;
    case 'duration':
      return value instanceof Duration;
    case 'list':
      return Array.isArray(value);
    case 'map':
      return value instanceof Map;
    case 'type':
      return value instanceof TypeValue;
    case 'opaque':
      if (type.name === 'optional_type') return value instanceof Optional;
      return isInstance(value, type.name, declarations);
    case 'object':
      return isInstance(value, type.name, declarations);
    default:
      return true;
  }
}

function isInstance(value: unknown, name: string, declarations: Declarations): boolean {
  const objectClass = declarations.object(name)?.objectClass;
  if (objectClass !== undefined) return objectClass[Symbol.hasInstance](value);
  return typeof value === 'object' && value !== null;
}
