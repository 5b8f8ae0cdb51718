import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { createClient, loadConfig } from '@windlass/client';
import { checkDefinition } from '@windlass/codegen';
import { UsageError } from '../command-line/exit.ts';

export interface ClusterQuery {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Of definitions, groups, kinds, plurals or short names. None: all definitions. */
  readonly names: readonly string[];
}

/** The definitions that a cluster serves. */
export async function definitionsInCluster(
  { kubeconfig, context, names }: ClusterQuery,
  signal: AbortSignal,
): Promise<CustomResourceDefinition[]> {
  const config = await loadConfig({
    ...(kubeconfig !== undefined && { path: kubeconfig }),
    ...(context !== undefined && { context }),
  });
  await using client = createClient({ config });
  const all: CustomResourceDefinition[] = [];
  for await (const item of client.resource(CustomResourceDefinition).items({ signal })) {
    // Items of a list do not say what they are.
    const definition = { ...item, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
    checkDefinition(definition, { source: `${config.server}, ${item.metadata.name}` });
    all.push(definition);
  }
  if (all.length === 0)
    throw new UsageError(`${config.server} has no CustomResourceDefinition; kubectl apply one first`);
  const chosen = new Set<CustomResourceDefinition>();
  for (const name of names) {
    const meant = all.filter((definition) => isNamed(definition, name.toLowerCase()));
    if (meant.length === 0)
      throw new UsageError(
        `${config.server} has no CustomResourceDefinition "${name}"; it has ${all.map(({ metadata }) => metadata?.name).join(', ')}`,
      );
    for (const definition of meant) chosen.add(definition);
  }
  return names.length === 0 ? all : [...chosen];
}

function isNamed({ metadata, spec }: CustomResourceDefinition, name: string): boolean {
  const { kind, plural, singular, shortNames = [] } = spec.names;
  return [metadata?.name, spec.group, kind.toLowerCase(), plural, singular, ...shortNames].includes(name);
}
