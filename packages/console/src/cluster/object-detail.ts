import {
  compareResourceVersions,
  type DeepReadonly,
  isNotFound,
  type KubeObject,
  splitKey,
} from '@windlass/apimachinery';
import { type Clock, isCancelled, withDeadline } from '@windlass/base';
import type { Client, DynamicObject, ResourceClient } from '@windlass/client';
import type { ObjectDetail, RevisionDetail } from '../protocol.ts';
import { diffObjects, readableYaml } from '../recorder/diff.ts';
import { masked } from '../recorder/masked.ts';
import { writtenBy } from './written-by.ts';

export interface ObjectDetailOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The oldest version from which changes can be watched; undefined where the server does not say. */
  readonly oldestVersion: () => string | undefined;
}

/** So many revisions are told, the newest ones. */
const MAX_REVISIONS = 100;
/** The past is there already: who waits longer waits for nothing. */
const HISTORY_MS = 2000;
/** An object that is gone has no last version to wait for. */
const GONE_HISTORY_MS = 300;

interface Revision {
  readonly object: KubeObject;
  readonly deleted: boolean;
}

/**
 * An object and its past.
 * @param name its resource or kind, in any form that kubectl takes
 * @returns undefined when it is not there and nothing is known of it
 */
export async function objectDetail(
  { client, clock, oldestVersion }: ObjectDetailOptions,
  name: string,
  key: string,
  signal: AbortSignal,
): Promise<ObjectDetail | undefined> {
  const { kind, group, version, plural, namespaced } = await client.discovery.named(name, { signal });
  const { namespace: asked, name: objectName } = splitKey(key);
  // Who does not know that a node has no namespace means it all the same.
  const namespace = namespaced ? asked : '';
  const all = client.resource<DynamicObject>({ group, version, plural });
  const scoped = namespace === '' ? all : all.namespace(namespace);
  const present = await scoped.get(objectName, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  const oldest = oldestVersion();
  const revisions =
    oldest === undefined ? [] : await pastOf(scoped, objectName, oldest, present, { clock, signal });
  if (revisions.length === 0 && present !== undefined) revisions.push({ object: present, deleted: false });
  const last = present ?? revisions.at(-1)?.object;
  if (last === undefined) return undefined;
  const resource = group === '' ? plural : `${plural}.${group}`;
  return {
    resource,
    kind,
    key: namespace === '' ? objectName : `${namespace}/${objectName}`,
    yaml: readableYaml(named(masked(resource, last))),
    exists: present !== undefined,
    history: details(resource, revisions.slice(-MAX_REVISIONS - 1), named).slice(-MAX_REVISIONS),
  };

  /** Objects of a list or a watch need not say what they are. */
  function named(object: DeepReadonly<KubeObject>): DeepReadonly<KubeObject> {
    return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind };
  }
}

async function pastOf(
  resource: ResourceClient<DynamicObject>,
  name: string,
  oldest: string,
  present: KubeObject | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Revision[]> {
  const last = present?.metadata?.resourceVersion;
  const limitMs = last === undefined ? GONE_HISTORY_MS : HISTORY_MS;
  using deadline = withDeadline(clock, limitMs, 'reading the history', signal);
  const revisions: Revision[] = [];
  try {
    const events = resource.watch({
      resourceVersion: oldest,
      fieldSelector: `metadata.name=${name}`,
      signal: deadline.signal,
    });
    for await (const event of events) {
      if (event.type === 'BOOKMARK') continue;
      revisions.push({ object: event.object, deleted: event.type === 'DELETED' });
      const version = event.object.metadata?.resourceVersion;
      if (last !== undefined && version !== undefined && compareResourceVersions(version, last) >= 0) break;
    }
  } catch (error) {
    // The past was forgotten meanwhile, or the time is over: what was read is shown.
    if (signal.aborted && isCancelled(error)) throw error;
  }
  return revisions;
}

function details(
  resource: string,
  revisions: readonly Revision[],
  named: (object: DeepReadonly<KubeObject>) => DeepReadonly<KubeObject>,
): RevisionDetail[] {
  return revisions.map(({ object, deleted }, index) => {
    const before = revisions[index - 1];
    // After a deletion another object of the name begins.
    const past = before === undefined || before.deleted ? undefined : before.object;
    const shown = masked(resource, object);
    return {
      resourceVersion: object.metadata?.resourceVersion ?? '',
      ...(deleted ? { by: undefined, at: undefined } : writtenBy(past, object)),
      deleted,
      yaml: readableYaml(named(shown)),
      diff: past === undefined || deleted ? [] : diffObjects(masked(resource, past), shown),
    };
  });
}
