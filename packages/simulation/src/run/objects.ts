import type { KubeObject } from '@windlass/apimachinery';
import type { SimulationOptions } from '../simulation.ts';
import { type Kept, nameOfKey } from '../world/kept.ts';
import { isBackground } from '../world/request-counts.ts';
import { USER, type World } from '../world/world.ts';

/** What is asked about objects of a cluster. */
export type Cluster = Pick<World, 'journal' | 'ownNames' | 'objects' | 'server'>;

/** What the user's processes have written, and all custom resources of the program: what its end consists of. */
export async function ownObjects(world: Cluster, { definitions = [] }: SimulationOptions): Promise<Kept[]> {
  const own = new Set<string>();
  for (const { by, key } of world.journal.entries) if (world.ownNames.includes(by)) own.add(key);
  const custom = definitions.map(({ spec }) => `/${spec.group}/${spec.names.plural}/`);
  return (await world.objects()).filter(
    ({ key }) =>
      !isBackground({ path: key }) && (own.has(key) || custom.some((prefix) => key.startsWith(prefix))),
  );
}

/** What of a world the deletion works with. */
type DeletionGround = Pick<World, 'journal' | 'objects' | 'server'> & Partial<Pick<World, 'beginStep'>>;

/** Deletes what the user has made and is still there, the newest first. */
export async function deleteAll(world: DeletionGround): Promise<void> {
  const made = madeBy(world, (by) => by === USER);
  const there = (await world.objects()).filter(({ object }) => made.has(object.metadata?.uid ?? ''));
  for (const kept of there.toReversed()) {
    // Whose request came last has nothing to do with it.
    world.beginStep?.();
    const response = await world.server.request({
      method: 'DELETE',
      path: pathOf(kept),
      query: { propagationPolicy: 'Background' },
    });
    if (response.status >= 300 && response.status !== 404)
      throw new TypeError(`${nameOfKey(kept.key)} cannot be deleted: ${JSON.stringify(response.body)}`);
  }
}

/** What the user's processes made and is still there, and what is on its way out and does not go. */
export async function leftBehind(world: Cluster): Promise<string[]> {
  const made = madeBy(world, (by) => world.ownNames.includes(by));
  const users = madeBy(world, (by) => by === USER);
  return (await world.objects()).flatMap(({ key, object }) => {
    if (isBackground({ path: key })) return [];
    const { uid = '', finalizers = [], deletionTimestamp } = object.metadata ?? {};
    if (deletionTimestamp !== undefined && (made.has(uid) || users.has(uid)))
      return [`${nameOfKey(key)}, which waits for its finalizers: ${finalizers.join(', ')}`];
    const maker = made.get(uid);
    return maker === undefined ? [] : [`${nameOfKey(key)}, made by ${maker}${ownersOf(object)}`];
  });
}

/** Everything that was made in the run, whether or not it is still there. */
export function everMade({ journal }: Pick<World, 'journal'>): KubeObject[] {
  return journal.entries.flatMap(({ verb, object }) => (verb === 'create' ? [object] : []));
}

/** By uid, who made it. */
function madeBy({ journal }: Pick<World, 'journal'>, matches: (by: string) => boolean): Map<string, string> {
  const made = new Map<string, string>();
  for (const { by, verb, object } of journal.entries)
    if (verb === 'create' && matches(by)) made.set(object.metadata?.uid ?? '', by);
  return made;
}

function ownersOf({ metadata }: KubeObject): string {
  const owners = metadata?.ownerReferences ?? [];
  return owners.length === 0
    ? ', which has no owner'
    : `, whose owner is ${owners.map(({ kind, name }) => `${kind} ${name}`).join(', ')}`;
}

/** The key is `/group/plural/namespace/name`, or without a namespace. */
function pathOf({ key, object }: Kept): string {
  const [, , plural = '', ...rest] = key.split('/');
  const { apiVersion = 'v1' } = object;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { namespace } = object.metadata ?? {};
  const name = rest.at(-1) ?? '';
  return namespace === undefined
    ? `${base}/${plural}/${name}`
    : `${base}/namespaces/${namespace}/${plural}/${name}`;
}
