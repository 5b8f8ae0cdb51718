// Facts in, files out: every file that the generator writes, as text, by its path under `generated/`.
import type { Schema } from '@windlass/apimachinery';
import { splitName } from './definition-name.ts';
import { descriptionTable, readProse } from './descriptions.ts';
import { readGroups, withDeprecations } from './discovery.ts';
import { addEnums, parseEnums } from './enums.ts';
import { printTable, readText } from './files.ts';
import { handWrittenDifferences } from './hand-written.ts';
import { readDeprecations } from './lifecycle.ts';
import type { Modules } from './modules.ts';
import { nullableProperties } from './nullable.ts';
import { readDefinitions } from './openapi.ts';
import { buildProtobufTable, readPackages } from './protobuf-table.ts';
import { printModules } from './typescript.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta';

/** Answered by the server to everybody, but in no schema. */
const UNPUBLISHED: readonly (readonly [string, string])[] = [
  ['apidiscovery.k8s.io/v2', 'io.k8s.api.apidiscovery.v2'],
  ['apidiscovery.k8s.io/v2beta1', 'io.k8s.api.apidiscovery.v2beta1'],
  ['meta.k8s.io/v1', `${META}.v1`],
  ['meta.k8s.io/v1beta1', `${META}.v1beta1`],
];

export function buildOutputs(modules: Modules, objectSource: string): Map<string, string> {
  const enums = parseEnums(readText(`${modules.kubernetes}/pkg/generated/openapi/zz_generated.openapi.go`));
  const definitions = addEnums(readDefinitions(modules.kubernetes), enums);
  const names = packagesOf(definitions);
  const groups = withDeprecations(readGroups(modules.kubernetes), (groupVersion) => {
    const folder =
      names
        .get(groupVersion)
        ?.replace(/^io\.k8s\.api\./, '')
        .replaceAll('.', '/') ?? '';
    return readDeprecations(`${modules.api}/${folder}`, groupVersion, modules.release);
  });
  const packages = readPackages({
    'k8s.io/api': modules.api,
    'k8s.io/apimachinery': modules.apimachinery,
    'k8s.io/apiextensions-apiserver': modules.apiextensions,
    'k8s.io/kube-aggregator': modules.aggregator,
  });
  const table = buildProtobufTable(packages, new Map([...names, ...UNPUBLISHED]));
  const prose = readProse(modules.kubernetes, enums);
  const facts = {
    definitions,
    groups,
    nullable: nullableProperties(table, definitions),
    descriptions: prose.definitions,
  };
  const differences = handWrittenDifferences(objectSource, facts);
  if (differences.length > 0)
    throw new Error(`object.ts does not match the API of ${modules.release}:\n${differences.join('\n')}`);
  const outputs = new Map([
    ['descriptions.json', printTable(descriptionTable(prose))],
    ['protobuf.json', printProtobuf(table)],
    [
      'resources.json',
      printTable([
        ['release', modules.release],
        ...groups.map((group) => [group.group, group.versions] as const),
      ]),
    ],
    ['schemas.json', printTable(definitions)],
  ]);
  for (const [path, text] of printModules(facts)) outputs.set(`api/${path}`, text);
  return outputs;
}

/** `apps/v1` to `io.k8s.api.apps.v1`. Shared kinds belong to many groups and say nothing about one. */
function packagesOf(definitions: ReadonlyMap<string, Schema>): Map<string, string> {
  const packages = new Map<string, string>();
  for (const [name, schema] of definitions) {
    const [kind, ...others] = schema['x-kubernetes-group-version-kind'] ?? [];
    const [packageName] = splitName(name);
    if (kind === undefined || others.length > 0 || packageName.startsWith(META)) continue;
    packages.set(kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, packageName);
  }
  return packages;
}

function printProtobuf(table: ReturnType<typeof buildProtobufTable>): string {
  return printTable(Object.entries({ ...table.packages, groupVersions: table.groupVersions }));
}
