import { isNotFound } from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';
import { type ResourceDefinition, storagePrefix } from '../resource/definition.ts';
import { deleteObject } from '../verbs/delete.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';

/**
 * Deletes every object of a resource, and resolves when the last one is gone: also those that are held by
 * finalizers, for as long as it takes.
 */
export async function removeInstances(
  runtime: VerbRuntime,
  definition: ResourceDefinition,
  context: RequestContext,
): Promise<void> {
  const prefix = storagePrefix(definition);
  for (;;) {
    const { items, revision } = await runtime.store.list(prefix);
    if (items.length === 0) return;
    const waiting = items.filter(({ object }) => object.metadata?.deletionTimestamp === undefined);
    await Promise.all(
      waiting.map(async ({ object }) => {
        const { name = '', namespace = '' } = object.metadata ?? {};
        try {
          await deleteObject(
            runtime,
            { definition, namespace, name, context },
            {
              gracePeriodSeconds: undefined,
              orphanDependents: undefined,
              propagationPolicy: undefined,
              preconditions: {},
              dryRun: [],
              raw: {},
            },
          );
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    if ((await runtime.store.list(prefix, { limit: 1 })).items.length === 0) return;
    await using changes = runtime.store.watch(prefix, {
      fromRevision: revision,
      ...(context.signal !== undefined && { signal: context.signal }),
    });
    // Its own deletions are events too; what they leave is seen in the next round.
    for await (const events of changes) if (events.some(({ type }) => type === 'delete')) break;
  }
}
