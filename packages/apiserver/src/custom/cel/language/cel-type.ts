/** A type of CEL. */
export interface CelType {
  readonly kind: TypeKind;
  /** Of objects and opaque types; of all others it says the kind. */
  readonly name: string;
  readonly parameters: readonly CelType[];
}

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'parameter'
  | 'object'
  | 'opaque';

function simple(kind: TypeKind, name: string = kind): CelType {
  return { kind, name, parameters: [] };
}

export const BOOL: CelType = simple('bool');
export const INT: CelType = simple('int');
export const UINT: CelType = simple('uint');
export const DOUBLE: CelType = simple('double');
export const STRING: CelType = simple('string');
export const BYTES: CelType = simple('bytes');
export const NULL: CelType = simple('null');
export const TIMESTAMP: CelType = simple('timestamp');
export const DURATION: CelType = simple('duration');
export const DYN: CelType = simple('dyn');
/** Of what could not be checked: it fits everything, so that one mistake is told once. */
export const ERROR: CelType = simple('error', '!error!');
const TYPE: CelType = simple('type');

export function listOf(item: CelType): CelType {
  return { kind: 'list', name: 'list', parameters: [item] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function optionalOf(inner: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', parameters: [inner] };
}

export function typeOf(of: CelType): CelType {
  return { kind: 'type', name: 'type', parameters: [of] };
}

export function objectOf(name: string): CelType {
  return simple('object', name);
}

export function parameterOf(name: string): CelType {
  return simple('parameter', name);
}

/** What is in an optional; undefined for what is none. */
export function insideOptional(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

/** A parameter of a list, a map or an optional. */
export function parameter(type: CelType, index: number): CelType {
  return type.parameters[index] ?? DYN;
}

export function sameType(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((one, index) => sameType(one, parameter(b, index))))
  );
}

/** As messages show it: `list(int)`. */
export function typeText({ kind, name, parameters }: CelType): string {
  return parameters.length === 0 || kind === 'error'
    ? name
    : `${name}(${parameters.map(typeText).join(', ')})`;
}

const NAMED: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ...[BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, TIMESTAMP, DURATION, DYN, TYPE].map(
    (type) => [type.name, type] as const,
  ),
  ['null_type', NULL],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['google.protobuf.Duration', DURATION],
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
]);

/** The type that a text names: `int`, `list<string>`, `map<string, T>`, or an object's name. */
export function parseType(text: string, isOpaque: (name: string) => boolean = () => false): CelType {
  const named = NAMED.get(text);
  if (named !== undefined) return named;
  if (/^[A-Z]$/.test(text)) return parameterOf(text);
  const generic = /^(list|map|optional|type)<(.+)>$/.exec(text);
  if (generic === null) return isOpaque(text) ? simple('opaque', text) : objectOf(text);
  const [first = DYN, second = DYN] = splitTypes(generic[2] ?? '').map((part) => parseType(part, isOpaque));
  switch (generic[1]) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'type':
      return typeOf(first);
    default:
      return optionalOf(first);
  }
}

/** The types between commas; those of maps have commas too. */
export function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, char] of Array.from(text).entries()) {
    if (char === '<') depth++;
    else if (char === '>') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}

/** The type with others for some of its parameters. */
export function renamed(type: CelType, names: ReadonlyMap<string, CelType>): CelType {
  if (names.size === 0) return type;
  if (type.kind === 'parameter') return names.get(type.name) ?? type;
  return type.parameters.length === 0
    ? type
    : { ...type, parameters: type.parameters.map((one) => renamed(one, names)) };
}

/** Whether nothing about a type is left to be found out. */
export function isKnown(type: CelType): boolean {
  return type.kind !== 'dyn' && type.kind !== 'error' && type.parameters.every(isKnown);
}
