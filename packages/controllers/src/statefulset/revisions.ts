import {
  controllerReferenceTo,
  type DeepReadonly,
  deepCopy,
  isAlreadyExists,
  isControlledBy,
  type JsonValue,
  selectorFromObject,
} from '@windlass/apimachinery';
import { type ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import { isSameTemplate, templateHash } from '../deployment/template.ts';
import { byCreation, labelsOf, nameOf, namespaceOf, uidOf } from '../shared/meta.ts';
import type { ReadonlyStatefulSet } from './stateful-pods.ts';

export type ReadonlyRevision = DeepReadonly<ControllerRevision>;

const HASH_LABEL = 'controller.kubernetes.io/hash';

export interface SetRevisions {
  readonly current: ReadonlyRevision;
  readonly update: ReadonlyRevision;
  readonly collisionCount: number;
}

/** The template as a revision keeps it: as a patch that replaces the whole of it. */
export function templateIn(revision: ReadonlyRevision): DeepReadonly<PodTemplateSpec> {
  // What a revision holds is free in the API; ours and the real controller's have this shape.
  const data = revision.data as
    | DeepReadonly<{ spec?: { template?: PodTemplateSpec & { $patch?: string } } }>
    | undefined;
  const { $patch: _, ...template } = data?.spec?.template ?? {};
  return template;
}

const byRevision = (a: ReadonlyRevision, b: ReadonlyRevision): number =>
  a.revision - b.revision || byCreation(a, b);

/** The templates that a set has had, as objects. */
export class Revisions {
  readonly #kind: KindClient<ControllerRevision>;

  constructor(kind: KindClient<ControllerRevision>) {
    this.#kind = kind;
  }

  /** Of the set, oldest first. */
  async list(set: ReadonlyStatefulSet, signal: AbortSignal): Promise<ReadonlyRevision[]> {
    const selector = selectorFromObject(set.spec?.selector);
    const all = await this.#kind.list({ namespace: namespaceOf(set), signal });
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
    const current = all.find((one) => nameOf(one) === set.status?.currentRevision) ?? update;
    return { current: nameOf(current) === nameOf(update) ? update : current, update, collisionCount };
  }

  /** Deletes the oldest that no pod and no status names, beyond those that are kept. */
  async trim(
    set: ReadonlyStatefulSet,
    all: readonly ReadonlyRevision[],
    live: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const unused = all.filter((one) => !live.has(nameOf(one)));
    const limit = set.spec?.revisionHistoryLimit ?? 10;
    for (const one of unused.slice(0, Math.max(0, unused.length - limit)))
      await this.#kind.delete(`${namespaceOf(one)}/${nameOf(one)}`, {
        preconditions: { uid: uidOf(one) },
        signal,
      });
  }

  async #create(
    set: ReadonlyStatefulSet,
    revision: number,
    collisions: number,
    signal: AbortSignal,
  ): Promise<{ readonly revision: ReadonlyRevision; readonly collisionCount: number }> {
    const template = deepCopy<PodTemplateSpec>(set.spec?.template ?? {});
    for (let collisionCount = collisions; ; collisionCount++) {
      const hash = templateHash(template, collisionCount);
      const name = `${nameOf(set).slice(0, 223)}-${hash}`;
      try {
        const created = await this.#kind.create(
          {
            metadata: {
              name,
              namespace: namespaceOf(set),
              labels: { ...template.metadata?.labels, [HASH_LABEL]: hash },
              ownerReferences: [controllerReferenceTo(set, StatefulSet)],
            },
            // A template is JSON, though its type has no index.
            data: { spec: { template: { ...template, $patch: 'replace' } } } as unknown as JsonValue,
            revision,
          },
          { signal },
        );
        return { revision: created, collisionCount };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        const existing = await this.#kind.live(namespaceOf(set)).get(name, { signal });
        // An earlier run made it, and nobody saw.
        if (isControlledBy(existing, set) && isSameTemplate(templateIn(existing), template))
          return { revision: existing, collisionCount };
      }
    }
  }
}
