import { apiVersionOf } from '@windlass/apimachinery';
import type { ServerList } from '../exchange/exchange.ts';
import type { ListParameters } from '../request/list-options.ts';
import type { ComputedReader } from '../resource/definition.ts';
import type { Target } from '../resource/target.ts';
import { selectionOf } from './selection.ts';

/** A list of objects that nobody stores. It has no version, no pages and no watches. */
export async function listComputed(
  reader: ComputedReader,
  { definition, namespace }: Target,
  parameters: ListParameters,
): Promise<ServerList> {
  const selection = selectionOf(definition, parameters);
  const objects = await reader.list(namespace);
  return {
    apiVersion: apiVersionOf(definition),
    kind: definition.listKind,
    metadata: {
      resourceVersion: '',
      ...(selection.shard !== undefined && { shardInfo: { selector: selection.shard } }),
    },
    items: objects.filter((object) => selection.matches(object)).map((object) => ({ object })),
  };
}
