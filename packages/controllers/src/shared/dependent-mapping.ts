import {
  type Cached,
  controllerOf,
  deepEqual,
  isBeingDeleted,
  type KubeObject,
  keyOf,
  type ResourceType,
  type Selector,
} from '@windlass/apimachinery';
import type { CachedKind, Mapping, ObjectEvent } from '@windlass/runtime';
import { labelsOf } from './meta.ts';

/**
 * From a dependent to the owners that it concerns: the one that controls it, if that still is the one that
 * it names; and for what nobody controls, all that would adopt it.
 */
export function controllerAndSelectorMapping<D extends KubeObject, O extends KubeObject>(
  ownerType: ResourceType<O>,
  owners: CachedKind<O>,
  selectorOf: (owner: Cached<O>) => Selector,
): Mapping<D> {
  return (dependent) => {
    const object: Cached<KubeObject> = dependent;
    const { namespace = '' } = object.metadata;
    const controller = controllerOf(object);
    if (controller !== undefined) {
      if (controller.kind !== ownerType.kind || groupOf(controller.apiVersion) !== ownerType.group) return [];
      const owner = owners.find(`${namespace}/${controller.name}`);
      return owner !== undefined && owner.metadata.uid === controller.uid ? [keyOf(owner)] : [];
    }
    if (isBeingDeleted(object)) return [];
    const labels = labelsOf(object);
    return owners
      .list({ namespace })
      .filter((owner) => selectorOf(owner).matches(labels))
      .map(keyOf);
  };
}

/** What happens to an orphan matters when somebody may adopt it: it is new, or its labels or owners changed. */
export function orphanChangesMatter(event: ObjectEvent<KubeObject>): boolean {
  const { object } = event;
  if (controllerOf(object) !== undefined) return true;
  if (event.type === 'add') return true;
  if (event.type === 'delete') return false;
  const { old } = event;
  return controllerOf(old) !== undefined || !deepEqual(labelsOf(old), labelsOf(object));
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}
