// Names. One definition has three: OpenAPI's (`io.k8s.api.core.v1.Pod`), protobuf's
// (`k8s.io.api.core.v1.Pod`) and that of the Go package (`k8s.io/api/core/v1`). OpenAPI's is ours.

/** The TypeScript module of a definition, `core/v1`, and its name there. */
export interface ModuleName {
  readonly module: string;
  readonly name: string;
}

/** Small shared types have Go packages of their own; in TypeScript they stand with the meta types. */
const IN_META: ReadonlySet<string> = new Set([
  'io.k8s.apimachinery.pkg.api.resource',
  'io.k8s.apimachinery.pkg.runtime',
  'io.k8s.apimachinery.pkg.util.intstr',
  'io.k8s.apimachinery.pkg.version',
]);

/** Modules are named for their Go package, as client-go's are: `rbac/v1`, not `rbac.authorization.k8s.io/v1`. */
export function moduleNameOf(definition: string): ModuleName {
  const [prefix, name] = splitName(definition);
  if (IN_META.has(prefix)) return { module: 'meta/v1', name };
  const parts = prefix.split('.');
  const version = parts.at(-1) ?? '';
  const folder = parts.at(-2) ?? '';
  if (!/^v\d+((alpha|beta)\d+)?$/.test(version)) throw new Error(`${definition} has no version in its name`);
  return { module: `${folder}/${version}`, name };
}

/** `io.k8s.api.core.v1.Pod` as `['io.k8s.api.core.v1', 'Pod']`. */
export function splitName(definition: string): [string, string] {
  const dot = definition.lastIndexOf('.');
  return [definition.slice(0, dot), definition.slice(dot + 1)];
}

/** `k8s.io.apiextensions_apiserver.pkg.…` is `io.k8s.apiextensions-apiserver.pkg.…` in OpenAPI. */
export function definitionOfProto(name: string): string {
  return name.replace(/^k8s\.io\./, 'io.k8s.').replaceAll('_', '-');
}
