// One table for the protobuf codec: numbers and types from the proto files, JSON names and the rules for
// empty values from the Go types, joined by field number. Both sides must agree on every field.
//
// A message is one string, which the codec parses when it first meets the message:
//
//   FIELD|FIELD|…        FIELD = NUMBER NAME FLAGS TYPE
//   FLAGS  [ repeated   { map with string keys   * pointer   ? left out of JSON when empty
//          0 left out of JSON when zero (times)   > shown in place, in the object around it
//   TYPE   s string  i int32  l int64  b bool  y bytes  d double  .Name here  a.b.v1.Name elsewhere
//
// A leading `=` marks a message that wraps a list only because protobuf has no list of lists: JSON
// shows the list.
import { globSync } from 'node:fs';
import path from 'node:path';
import { definitionOfProto, splitName } from './definition-name.ts';
import { readText, sortedEntries } from './files.ts';
import { type GoPackage, type GoStruct, parseGoPackage } from './go-types.ts';
import { type ProtoField, type ProtoFile, parseProto } from './proto.ts';

export interface ProtobufTable {
  /** `apps/v1` to its package and the kinds in it that stand alone. */
  readonly groupVersions: { readonly [apiVersion: string]: { package: string; kinds: readonly string[] } };
  /** Package to name to fields. */
  readonly packages: { readonly [name: string]: { readonly [message: string]: string } };
}

/** Written by hand in the codec, because JSON shows them in a form that no field describes. */
export const SPECIAL_MESSAGES: ReadonlySet<string> = new Set([
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
]);

/** Only these may be left out when zero: the codec knows their zero. */
const TIMES = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
]);

const SCALAR_CODES: Readonly<Record<string, string>> = {
  string: 's',
  int32: 'i',
  int64: 'l',
  bool: 'b',
  bytes: 'y',
  double: 'd',
};

interface Package {
  readonly name: string;
  readonly importPath: string;
  readonly go: GoPackage;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

/** Reads every API package of the modules: a directory with a generated.proto. */
export function readPackages(modules: { readonly [importPrefix: string]: string }): Map<string, Package> {
  const packages = new Map<string, Package>();
  for (const [prefix, directory] of Object.entries(modules)) {
    for (const file of globSync('**/generated.proto', { cwd: directory }).sort()) {
      const folder = path.dirname(file);
      const proto = parseProto(readText(path.join(directory, file)));
      checkProto(proto);
      const sources = globSync('*.go', { cwd: path.join(directory, folder) })
        .filter((name) => !/(_test|\.pb|^zz_generated\..*|_fuzz|_string)\.go$/.test(name))
        .sort()
        .map((name) => readText(path.join(directory, folder, name)));
      const name = definitionOfProto(proto.package);
      const importPath = `${prefix}/${folder}`;
      packages.set(name, {
        name,
        importPath,
        go: parseGoPackage(sources, proto.messages),
        messages: withFullNames(proto),
      });
    }
  }
  return packages;
}

/** The table has no words for enums, oneofs, options or messages in messages, which these files do not have. */
function checkProto(file: ProtoFile): void {
  const names = [...file.messages.keys()];
  const odd =
    [...file.enums.keys(), ...file.services.keys(), ...names.filter((name) => name.includes('.'))][0] ??
    [...file.messages.values()].flat().find(({ oneof, options }) => oneof !== undefined || options.length > 0)
      ?.name;
  if (file.syntax !== 'proto2' || odd !== undefined)
    throw new Error(`${file.package} has what the table has no words for: ${odd ?? file.syntax}`);
}

/** The messages, whose fields name their types in full: `k8s.io.api.core.v1.PodSpec`. */
function withFullNames(file: ProtoFile): Map<string, ProtoField[]> {
  return new Map(
    [...file.messages].map(([name, fields]) => [
      name,
      fields.map((field) =>
        file.messages.has(field.type) ? { ...field, type: `${file.package}.${field.type}` } : field,
      ),
    ]),
  );
}

/** `groupVersions` maps `apps/v1` to `io.k8s.api.apps.v1`; what those kinds reach is in the table. */
export function buildProtobufTable(
  packages: ReadonlyMap<string, Package>,
  groupVersions: ReadonlyMap<string, string>,
): ProtobufTable {
  const found = new Map<string, Map<string, string>>();
  const visit = (name: string): void => {
    const [packageName, message] = splitName(name);
    const home = found.get(packageName) ?? new Map<string, string>();
    found.set(packageName, home);
    if (home.has(message) || SPECIAL_MESSAGES.has(name)) return;
    const { text, references } = describeMessage(packages, name);
    home.set(message, text);
    for (const reference of references) visit(reference);
  };
  const kindsOf = new Map<string, { package: string; kinds: string[] }>();
  for (const [apiVersion, packageName] of sortedEntries(groupVersions)) {
    const source = packages.get(packageName);
    if (source === undefined)
      throw new Error(
        `no proto file for ${packageName} (${apiVersion}): k8s.io/kubernetes serves it and k8s.io/api does not have it; pin both to one release`,
      );
    const kinds = [...source.messages.keys()]
      .filter((name) => findStruct(packages, source, name)?.isKind)
      .sort();
    kindsOf.set(apiVersion, { package: packageName, kinds });
    for (const kind of kinds) visit(`${packageName}.${kind}`);
  }
  const nonEmpty = [...found].filter(([, messages]) => messages.size > 0);
  return {
    groupVersions: Object.fromEntries(kindsOf),
    packages: Object.fromEntries(
      sortedEntries(nonEmpty).map(([name, messages]) => [name, Object.fromEntries(sortedEntries(messages))]),
    ),
  };
}

function describeMessage(
  packages: ReadonlyMap<string, Package>,
  name: string,
): { text: string; references: string[] } {
  const [packageName, message] = splitName(name);
  const source = packages.get(packageName);
  const protoFields = source?.messages.get(message);
  if (source === undefined || protoFields === undefined) throw new Error(`no proto message ${name}`);
  const ordered = [...protoFields].sort((a, b) => a.number - b.number);
  const references = ordered.filter((field) => !(field.type in SCALAR_CODES)).map(typeOf);
  if (source.go.slices.has(message)) {
    const [only, ...others] = ordered;
    if (only?.label !== 'repeated' || others.length > 0) throw new Error(`${name} is no wrapped list`);
    return { text: `=${only.number} ${only.name} [${typeCode(only, packageName)}`, references };
  }
  const struct = findStruct(packages, source, message);
  if (struct === undefined) throw new Error(`no Go struct for the message ${name}`);
  const texts = ordered.map((field) => describeField(name, field, struct, packageName));
  return { text: texts.join('|'), references };
}

function describeField(message: string, field: ProtoField, struct: GoStruct, packageName: string): string {
  const go = struct.fields.find((candidate) => candidate.proto?.number === field.number);
  const where = `${message}.${field.name}`;
  if (go === undefined) throw new Error(`${where} has no Go field with the number ${field.number}`);
  if (go.proto?.name !== field.name) throw new Error(`${where} is called ${go.proto?.name} in Go`);
  if (go.json === undefined) throw new Error(`${where} is not in JSON`);
  const isMessage = !(field.type in SCALAR_CODES);
  if (go.omitZero && !TIMES.has(typeOf(field)))
    throw new Error(`${where} is left out when zero, and is no time`);
  if (go.inline && (!isMessage || field.label !== 'single'))
    throw new Error(`${where} is inline and no struct`);
  const pointer = field.label === 'single' && go.type.startsWith('*');
  const flags = `${labelFlag(field)}${pointer ? '*' : ''}${go.omitEmpty ? '?' : ''}${go.omitZero ? '0' : ''}${go.inline ? '>' : ''}`;
  return `${field.number} ${go.json} ${flags}${typeCode(field, packageName)}`;
}

const labelFlag = (field: ProtoField): string =>
  field.label === 'repeated' ? '[' : field.label === 'map' ? '{' : '';

const typeOf = (field: ProtoField): string => definitionOfProto(field.type);

function typeCode(field: ProtoField, packageName: string): string {
  const scalar = SCALAR_CODES[field.type];
  if (scalar !== undefined) return scalar;
  const name = typeOf(field);
  const [home, short] = splitName(name);
  return home === packageName ? `.${short}` : name;
}

/** Follows `type List metav1.List`. */
function findStruct(
  packages: ReadonlyMap<string, Package>,
  source: Package,
  name: string,
): GoStruct | undefined {
  const struct = source.go.structs.get(name);
  const alias = source.go.aliases.get(name);
  if (struct !== undefined || alias === undefined) return struct;
  const target = [...packages.values()].find((candidate) => candidate.importPath === alias.importPath);
  return target?.go.structs.get(alias.name);
}
