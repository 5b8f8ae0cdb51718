import { isNotFound, type KubeObject, type ResourceType, type Served } from '@windlass/apimachinery';
import { type Client, type KindQuery, retryOnConflict } from '@windlass/client';
import type { ChangeOptions } from './admin-options.ts';
import { RefusedError } from './errors.ts';
import { inParallel } from './in-parallel.ts';

/** What became of one object. With `dryRun`, what would. */
export interface Outcome<T extends KubeObject> {
  /** As it is now. */
  readonly object: Served<T>;
  /** `unchanged`: it was so already. `refused`: it was left alone, and `reason` says why. */
  readonly result: 'changed' | 'unchanged' | 'refused';
  readonly reason?: string;
}

/**
 * Changes each object. `change` returns the object as it is to be, the very object when nothing is to be done, and
 * throws RefusedError where it must not be done. It runs again on a newer object when somebody else wrote between.
 */
export function changeEach<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  objects: readonly Served<T>[],
  change: (object: Served<T>) => T,
  { dryRun = false, signal }: ChangeOptions,
): Promise<Outcome<T>[]> {
  const query: KindQuery = type;
  const resource = client.resource<T>(query);
  const call = signal === undefined ? {} : { signal };
  return inParallel(objects, async (listed): Promise<Outcome<T>> => {
    let current = listed;
    let isFirst = true;
    try {
      return await retryOnConflict(async () => {
        if (!isFirst) current = await resource.get(listed.metadata.name, call);
        isFirst = false;
        const wanted = change(current);
        if (wanted === current) return { object: current, result: 'unchanged' };
        if (dryRun) return { object: current, result: 'changed' };
        return { object: await resource.replace(wanted, call), result: 'changed' };
      }, call);
    } catch (error) {
      if (error instanceof RefusedError) return { object: current, result: 'refused', reason: error.message };
      if (isNotFound(error)) return { object: current, result: 'refused', reason: 'it is gone' };
      throw error;
    }
  });
}

/** With a label set, or removed when the value is undefined. The very object when it is so already. */
export function withLabel<T extends KubeObject>(object: T, key: string, value: string | undefined): T {
  const { [key]: before, ...others } = object.metadata?.labels ?? {};
  if (before === value) return object;
  const labels = value === undefined ? others : { ...others, [key]: value };
  return { ...object, metadata: { ...object.metadata, labels } };
}
