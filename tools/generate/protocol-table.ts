// Two files for each storage protocol: the table that the codec works from, and the types of what it gives.
//
// A message is one string:
//
//   FIELD|FIELD|…        FIELD = NUMBER NAME FLAGS TYPE ONEOF
//   FLAGS  [ repeated   { map with string keys   ! secret: never in a log
//   TYPE   s string  i int32  l int64  u uint64, as a text  n any number, which may lose digits  d double
//          b bool  y bytes  x bytes, as a text of base64  t Timestamp  B BoolValue  L Int64Value
//          #Name an enum   .Name a message
//   ONEOF  /name of the oneof, for its members
//
// An enum is `NUMBER NAME|…`, a method `Name Request Response`.
import { sortedEntries } from './files.ts';
import type { ProtoField, ProtoFile } from './proto.ts';
import { tsdoc } from './tsdoc.ts';

/** The options by which a protocol says that a field is in no log. */
const SECRET = ['csi_secret', 'debug_redact'];

const CODES: Readonly<Record<string, readonly [code: string, type: string]>> = {
  string: ['s', 'string'],
  int32: ['i', 'number'],
  int64: ['l', 'number'],
  uint64: ['u', 'string'],
  double: ['d', 'number'],
  bytes: ['y', 'Uint8Array'],
  bool: ['b', 'boolean'],
  'google.protobuf.Timestamp': ['t', 'string'],
  'google.protobuf.BoolValue': ['B', 'boolean'],
  'google.protobuf.Int64Value': ['L', 'number'],
};

/** Messages and wrappers may be absent; scalars, lists and maps never are. */
const isNullable = (field: ProtoField, file: ProtoFile): boolean =>
  field.label === 'single' &&
  (field.oneof !== undefined || file.messages.has(field.type) || field.type.startsWith('google.'));

/** `volume_id` to `volumeId`, as proto3's JSON form has it. */
export const jsonName = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const typeName = (name: string): string => name.replaceAll('.', '');
const methodName = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** As users of the API see it: times in nanoseconds are past 2^53, and lose digits instead of being refused. */
const PLAIN: typeof CODES = {
  ...CODES,
  int64: ['n', 'number'],
  uint32: ['n', 'number'],
  uint64: ['n', 'number'],
  bytes: ['x', 'string'],
};

export interface TableOptions {
  /** Whether all numbers are numbers, and bytes a text. */
  readonly isPlain: boolean;
  /** Whether users see the types: others are without descriptions, which are most of their size in the package. */
  readonly isPublic: boolean;
}

const DEFAULTS: TableOptions = { isPlain: false, isPublic: true };

const codesOf = ({ isPlain }: TableOptions): typeof CODES => (isPlain ? PLAIN : CODES);

export function printProtocolTable(
  file: ProtoFile,
  origin: string,
  options: TableOptions = DEFAULTS,
): string {
  // What is left out on the wire means something else in proto2.
  if (file.syntax !== 'proto3') throw new Error(`${file.package} is ${file.syntax}, not proto3`);
  const messages = sortedEntries(file.messages).map(
    ([name, fields]) =>
      [
        typeName(name),
        fields.map((field) => describeField(field, file, codesOf(options))).join('|'),
      ] as const,
  );
  const enums = sortedEntries(file.enums).map(
    ([name, values]) =>
      [typeName(name), [...values].map(([value, number]) => `${number} ${value}`).join('|')] as const,
  );
  const services = [...file.services]
    .filter(([, methods]) => methods.length > 0)
    .map(([service, methods]) => {
      const rows = methods.map(
        (method) => [methodName(method.name), `${method.name} ${method.request} ${method.response}`] as const,
      );
      return `  ${service}: ${printObject(rows, '    ')},`;
    });
  return [
    `${header(origin)}import type { ProtocolTable } from '@windlass/grpc';\n`,
    `export const table = {`,
    `  package: '${file.package}',`,
    `  messages: ${printObject(messages, '    ')},`,
    `  enums: ${printObject(enums, '    ')},`,
    `  services: {\n${services.map((service) => service.replace(/^/gm, '  ')).join('\n')}\n  },`,
    `} as const satisfies ProtocolTable;\n`,
  ].join('\n');
}

function describeField(field: ProtoField, file: ProtoFile, codes: typeof CODES): string {
  const flags =
    (field.label === 'repeated' ? '[' : field.label === 'map' ? '{' : '') +
    (SECRET.some((option) => field.options.includes(option)) ? '!' : '');
  const scalar = codes[field.type]?.[0];
  const mark = file.enums.has(field.type) ? '#' : '.';
  if (scalar === undefined && mark === '.' && !file.messages.has(field.type))
    throw new Error(`${field.name} has the type ${field.type}, which the table has no letter for`);
  const oneof = field.oneof === undefined ? '' : `/${jsonName(field.oneof)}`;
  return `${field.number} ${jsonName(field.name)} ${flags}${scalar ?? mark + typeName(field.type)}${oneof}`;
}

export function printProtocolTypes(
  file: ProtoFile,
  origin: string,
  options: TableOptions = DEFAULTS,
): string {
  const parts = [header(origin, options.isPublic ? COPYRIGHT : '')];
  const about = options.isPublic ? descriptionsOf(file) : (): string => '';
  for (const [name, values] of sortedEntries(file.enums))
    parts.push(
      `${about(name)}export type ${typeName(name)} =\n${[...values.keys()].map((value) => `  | '${value}'`).join('\n')};\n`,
    );
  for (const [name, fields] of sortedEntries(file.messages)) {
    const lines = fields.map((field) => {
      const absent = isNullable(field, file);
      const text = `${jsonName(field.name)}${absent ? '?' : ''}: ${fieldType(field, codesOf(options))}${absent ? ' | undefined' : ''}`;
      const told = options.isPublic ? (file.comments.get(`${name}.${field.name}`) ?? '') : '';
      return `${tsdoc(told, '  ')}  readonly ${text};`;
    });
    parts.push(
      lines.length === 0
        ? `${about(name)}export type ${typeName(name)} = Readonly<Record<never, never>>;\n`
        : `${about(name)}export interface ${typeName(name)} {\n${lines.join('\n')}\n}\n`,
    );
  }
  for (const [service, methods] of file.services) {
    if (methods.length === 0) continue;
    const lines = methods.map(
      (method) =>
        `  ${methodName(method.name)}: { request: ${method.request}; response: ${method.response} };`,
    );
    parts.push(`${about(service)}export interface ${service}Methods {\n${lines.join('\n')}\n}\n`);
  }
  return parts.join('\n');
}

/** What the file says about each of its names, and else what follows from where the name is used. */
function descriptionsOf(file: ProtoFile): (name: string) => string {
  const derived = new Map<string, string>();
  for (const [service, methods] of file.services) {
    derived.set(service, `The methods of the service \`${service}\`.`);
    for (const { name, request, response } of methods) {
      derived.set(request, `What \`${service}.${name}\` is asked.`);
      derived.set(response, `What \`${service}.${name}\` answers.`);
    }
  }
  return (name) => {
    const kind = file.enums.has(name) ? 'enum' : 'message';
    const own = file.comments.get(name) ?? derived.get(name);
    return tsdoc(own ?? `The ${kind} \`${name}\` of \`${file.package}\`.`, '');
  };
}

function fieldType(field: ProtoField, codes: typeof CODES): string {
  const type = codes[field.type]?.[1] ?? typeName(field.type);
  if (field.label === 'map') return `Readonly<Record<string, ${type}>>`;
  return field.label === 'repeated' ? `readonly ${type}[]` : type;
}

const COPYRIGHT = '// The descriptions, here shortened, are of its authors, Apache License 2.0.\n';

const header = (origin: string, more = ''): string =>
  `// Generated from ${origin} by \`npm run generate\`. Do not edit.\n${more}`;

function printObject(entries: readonly (readonly [string, string])[], indent: string): string {
  const lines = entries.map(([key, value]) => `${indent}${key}: '${value}',\n`);
  return `{\n${lines.join('')}${indent.slice(2)}}`;
}
