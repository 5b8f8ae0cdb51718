import { type Cached, hasFinalizer, type KubeObject } from '@windlass/apimachinery';
import type { Manager } from '../manager/manager.ts';
import type { KindClient } from '../objects/kind-client.ts';
import type { Family } from './declaration.ts';
import { isLabelOwned } from './marks.ts';
import { deleteChild, listLive } from './prune.ts';
import { recordedKinds, recordName } from './record.ts';

/** Kinds that are not watched do not tell when their last object is gone. */
export const LEFT_OVER_MS = 5000;

/** All kinds of which a parent may have children: those that are declared now, and those it remembers. */
export function kindsOf(
  manager: Manager,
  parent: Cached<KubeObject>,
  { owns, mark }: Family,
): Map<string, KindClient<KubeObject>> {
  const kinds = new Map<string, KindClient<KubeObject>>();
  for (const [name, query] of recordedKinds(parent, mark))
    kinds.set(name, manager.objects<KubeObject>(query));
  for (const type of owns) kinds.set(recordName(type), manager.objects(type));
  return kinds;
}

/** Whether the server has children that the garbage collector does not see to. The cache may be behind. */
export async function hasLabelOwned(
  kinds: Iterable<KindClient<KubeObject>>,
  parent: Cached<KubeObject>,
  mark: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (const objects of kinds) {
    const found = await listLive(objects, parent, mark, signal);
    if (found.some((object) => isLabelOwned(object, parent))) return true;
  }
  return false;
}

/**
 * The parent is about to go: deletes what the garbage collector leaves.
 * @returns whether the finalizer has done its work
 */
export async function cleanUp(
  manager: Manager,
  parent: Cached<KubeObject>,
  family: Family,
  signal: AbortSignal,
): Promise<boolean> {
  const { mark } = family;
  if (!hasFinalizer(parent, mark)) return true;
  const kinds = kindsOf(manager, parent, family);
  for (const objects of kinds.values())
    for (const object of await listLive(objects, parent, mark, signal))
      if (isLabelOwned(object, parent)) await deleteChild(objects, object, parent, mark, signal);
  return !(await hasLabelOwned(kinds.values(), parent, mark, signal));
}
