import type { DeepReadonly, KubeObject, ResourceType } from '@windlass/apimachinery';
import type { Store } from '../../storage/store.ts';
import { kindPrefix } from '../../storage/stored-kinds.ts';

/** The class that is marked as the default; of several the newest, then the first by name. */
export async function defaultClass(
  store: Store,
  type: ResourceType,
  isDefault: (annotations: Readonly<Record<string, string>>) => boolean,
): Promise<string | undefined> {
  const { items } = await store.list(kindPrefix(type));
  const marked = items
    .map(({ object }) => object)
    .filter(({ metadata }) => isDefault(metadata?.annotations ?? {}))
    .toSorted((a, b) => created(b) - created(a));
  return marked[0]?.metadata?.name;
}

function created({ metadata }: DeepReadonly<KubeObject>): number {
  return Date.parse(metadata?.creationTimestamp ?? '') || 0;
}
