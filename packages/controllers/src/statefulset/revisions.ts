import { deepCopy, isAlreadyExists, isControlledBy, selectorFromObject } from '@windlass/apimachinery';
import { type ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import type { KindClient } from '@windlass/runtime';
import { labelsOf } from '../shared/meta.ts';
import { isSameTemplate } from '../shared/pod-template.ts';
import {
  byRevision,
  newRevision,
  type ReadonlyRevision,
  revisionData,
  revisionHash,
  templateIn,
} from '../shared/revisions.ts';
import type { ReadonlyStatefulSet } from './stateful-pods.ts';

const HASH_LABEL = 'controller.kubernetes.io/hash';

export interface SetRevisions {
  readonly current: ReadonlyRevision;
  readonly update: ReadonlyRevision;
  readonly collisionCount: number;
}

/** The templates that a set has had, as objects. */
export class Revisions {
  readonly #kind: KindClient<ControllerRevision>;

  constructor(kind: KindClient<ControllerRevision>) {
    this.#kind = kind;
  }

  /** Of the set, oldest first. */
  async list(set: ReadonlyStatefulSet, signal: AbortSignal): Promise<ReadonlyRevision[]> {
    const selector = selectorFromObject(set.spec?.selector);
    const all = await this.#kind.list({ namespace: set.metadata.namespace, signal });
    return all
      .filter((one) => isControlledBy(one, set) && selector.matches(labelsOf(one)))
      .toSorted(byRevision);
  }

  /** Finds or makes the one with the set's template. One that is used again becomes the newest. */
  async sync(
    set: ReadonlyStatefulSet,
    all: readonly ReadonlyRevision[],
    signal: AbortSignal,
  ): Promise<SetRevisions> {
    const newest = all.at(-1);
    const equal = all.findLast((one) => isSameTemplate(templateIn(one), set.spec?.template));
    const next = (newest?.revision ?? 0) + 1;
    let collisionCount = set.status?.collisionCount ?? 0;
    let update: ReadonlyRevision;
    if (equal !== undefined && equal === newest) update = equal;
    else if (equal !== undefined)
      update = await this.#kind.update(
        { ...deepCopy<ControllerRevision>(equal), revision: next },
        { signal },
      );
    else {
      const made = await this.#create(set, next, collisionCount, signal);
      collisionCount = made.collisionCount;
      update = made.revision;
    }
    const current = all.find((one) => one.metadata.name === set.status?.currentRevision) ?? update;
    return {
      current: current.metadata.name === update.metadata.name ? update : current,
      update,
      collisionCount,
    };
  }

  /** Deletes the oldest that no pod and no status names, beyond those that are kept. */
  async trim(
    set: ReadonlyStatefulSet,
    all: readonly ReadonlyRevision[],
    live: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const unused = all.filter((one) => !live.has(one.metadata.name));
    const limit = set.spec?.revisionHistoryLimit ?? 10;
    for (const one of unused.slice(0, Math.max(0, unused.length - limit)))
      await this.#kind.delete(`${one.metadata.namespace}/${one.metadata.name}`, {
        preconditions: { uid: one.metadata.uid },
        signal,
      });
  }

  async #create(
    set: ReadonlyStatefulSet,
    revision: number,
    collisions: number,
    signal: AbortSignal,
  ): Promise<{ readonly revision: ReadonlyRevision; readonly collisionCount: number }> {
    const template = set.spec?.template ?? {};
    const data = revisionData(template);
    // The label keeps the hash before any collision, as it does upstream.
    const labels = { [HASH_LABEL]: revisionHash(data, collisions) };
    for (let collisionCount = collisions; ; collisionCount++) {
      const name = `${set.metadata.name.slice(0, 223)}-${revisionHash(data, collisionCount)}`;
      try {
        const created = await this.#kind.create(
          newRevision<StatefulSet>({
            owner: set,
            ownerType: StatefulSet,
            name,
            labels,
            template,
            data,
            revision,
          }),
          { signal },
        );
        return { revision: created, collisionCount };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        const existing = await this.#kind.live(set.metadata.namespace).get(name, { signal });
        // An earlier run made it, and nobody saw.
        if (isControlledBy(existing, set) && isSameTemplate(templateIn(existing), template))
          return { revision: existing, collisionCount };
      }
    }
  }
}
