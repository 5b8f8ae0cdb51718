import { isNotFound } from '@windlass/apimachinery';
import type { ServerList } from '../exchange/exchange.ts';
import type { DeleteParameters } from '../request/delete-options.ts';
import type { ListParameters } from '../request/list-options.ts';
import { deleteObject } from './delete.ts';
import { type Collection, listObjects } from './list.ts';
import type { VerbRuntime } from './runtime.ts';

/** So many deletions are under way at once: enough for a store to commit them together. */
const CONCURRENCY = 64;

/**
 * Deletes everything that matches, one by one: not atomic. With a limit, so many and no more. Answers what was
 * there, and where the rest begins.
 */
export async function deleteCollection(
  runtime: VerbRuntime,
  collection: Collection,
  list: ListParameters,
  parameters: DeleteParameters,
): Promise<ServerList> {
  const limit = list.limit === 0 ? Number.MAX_SAFE_INTEGER : list.limit;
  const found = await listObjects(runtime, collection, { ...list, limit });
  const { items } = found;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      // Each in its turn: a store may have to decode it first.
      const { name = '', namespace = '' } = items[at]?.object.metadata ?? {};
      try {
        await deleteObject(
          runtime,
          { definition: collection.definition, namespace, name, context: collection.context },
          parameters,
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return found;
}
