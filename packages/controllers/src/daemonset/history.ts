import { deepCopy, isAlreadyExists, isControlledBy, keyOf } from '@windlass/apimachinery';
import { type ControllerRevision, DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import { HashCollisionError, StaleCollisionCountError } from '../errors.ts';
import { labelsOf } from '../shared/meta.ts';
import { isSameTemplate, templateHash } from '../shared/pod-template.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import {
  byRevision,
  newRevision,
  REVISION_HASH,
  type ReadonlyRevision,
  revisionData,
  templateIn,
} from '../shared/revisions.ts';
import type { ReadonlyDaemonSet } from './daemon-pods.ts';

export interface History {
  /** The one with the set's template. */
  readonly current: ReadonlyRevision;
  /** Oldest first. */
  readonly old: readonly ReadonlyRevision[];
}

export interface DaemonHistoryOptions {
  readonly revisions: KindClient<ControllerRevision>;
  readonly sets: KindClient<DaemonSet>;
  readonly pods: KindClient<Pod>;
}

export const hashOf = (revision: ReadonlyRevision): string => labelsOf(revision)[REVISION_HASH] ?? '';

/** The templates that a daemon set has had, as objects: what `kubectl rollout undo` goes back to. */
export class DaemonHistory {
  readonly #options: DaemonHistoryOptions;

  constructor(options: DaemonHistoryOptions) {
    this.#options = options;
  }

  /**
   * Finds or makes the revision of the set's template. One that is used again becomes the newest; of several
   * the newest stays. Pods are asked for only then.
   */
  async sync(
    set: ReadonlyDaemonSet,
    claimed: readonly ReadonlyRevision[],
    pods: () => Promise<readonly ReadonlyPod[]>,
    signal: AbortSignal,
  ): Promise<History> {
    const all = await Promise.all(claimed.map((one) => this.#labelled(one, signal)));
    const equal = all.filter((one) => isSameTemplate(templateIn(one), set.spec?.template));
    const old = all.filter((one) => !equal.includes(one)).toSorted(byRevision);
    const number = (old.at(-1)?.revision ?? 0) + 1;
    const [newest, ...duplicates] = equal.toSorted(byRevision).toReversed();
    if (newest === undefined) return { current: await this.#create(set, number, signal), old };
    await this.#merge(newest, duplicates, pods, signal);
    if (newest.revision >= number) return { current: newest, old };
    const again = { ...deepCopy<ControllerRevision>(newest), revision: number };
    return { current: await this.#options.revisions.update(again, { signal }), old };
  }

  /** Deletes the oldest that no pod has, beyond those that are kept. */
  async trim(
    set: ReadonlyDaemonSet,
    old: readonly ReadonlyRevision[],
    pods: () => Promise<readonly ReadonlyPod[]>,
    signal: AbortSignal,
  ): Promise<void> {
    const limit = set.spec?.revisionHistoryLimit ?? 10;
    if (old.length <= limit) return;
    for (const one of surplus(old, await pods(), limit)) await this.#delete(one, signal);
  }

  /** Very old versions of the controller did not label them. */
  async #labelled(revision: ReadonlyRevision, signal: AbortSignal): Promise<ReadonlyRevision> {
    if (hashOf(revision) !== '') return revision;
    const labels = { [REVISION_HASH]: revision.metadata.name };
    return this.#options.revisions.patch(keyOf(revision), { metadata: { labels } }, { signal });
  }

  /** Pods of the others belong to the one that stays before the others go, or they would count as old. */
  async #merge(
    kept: ReadonlyRevision,
    duplicates: readonly ReadonlyRevision[],
    pods: () => Promise<readonly ReadonlyPod[]>,
    signal: AbortSignal,
  ): Promise<void> {
    if (duplicates.length === 0) return;
    const hashes = new Set(duplicates.map(hashOf));
    const labels = { [REVISION_HASH]: hashOf(kept) };
    for (const pod of await pods())
      if (hashes.has(labelsOf(pod)[REVISION_HASH] ?? ''))
        await this.#options.pods.patch(keyOf(pod), { metadata: { labels } }, { signal });
    for (const one of duplicates) await this.#delete(one, signal);
  }

  #delete(revision: ReadonlyRevision, signal: AbortSignal): Promise<void> {
    const preconditions = { uid: revision.metadata.uid };
    return this.#options.revisions.delete(keyOf(revision), { preconditions, signal });
  }

  async #create(set: ReadonlyDaemonSet, revision: number, signal: AbortSignal): Promise<ReadonlyRevision> {
    const { revisions } = this.#options;
    const template = set.spec?.template ?? {};
    const hash = templateHash(template, set.status?.collisionCount);
    const [name, namespace] = [`${set.metadata.name}-${hash}`, set.metadata.namespace];
    try {
      return await revisions.create(
        newRevision<DaemonSet>({
          owner: set,
          ownerType: DaemonSet,
          name,
          labels: { [REVISION_HASH]: hash },
          template,
          data: revisionData(template),
          revision,
        }),
        { signal },
      );
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await revisions.live(namespace).get(name, { signal });
      // An earlier run made it, and nobody saw.
      if (isControlledBy(existing, set) && isSameTemplate(templateIn(existing), template)) return existing;
      throw await this.#collision(set, name, signal);
    }
  }

  /** Two templates share a name. With one more collision in the status the next run finds another one. */
  async #collision(set: ReadonlyDaemonSet, name: string, signal: AbortSignal): Promise<Error> {
    const { sets } = this.#options;
    const fresh = await sets.live(set.metadata.namespace).get(set.metadata.name, { signal });
    const [known, now] = [set.status?.collisionCount ?? 0, fresh.status?.collisionCount ?? 0];
    if (known !== now) return new StaleCollisionCountError(`daemon set ${keyOf(set)}`, known, now);
    if (fresh.status === undefined) return new HashCollisionError(`revision ${name}`, now);
    await sets.status.update({ ...fresh, status: { ...fresh.status, collisionCount: now + 1 } }, { signal });
    return new HashCollisionError(`revision ${name}`, now + 1);
  }
}

/** Those beyond the limit that no pod has, oldest first. */
export function surplus(
  old: readonly ReadonlyRevision[],
  pods: readonly ReadonlyPod[],
  limit: number,
): ReadonlyRevision[] {
  const live = new Set(pods.map((pod) => labelsOf(pod)[REVISION_HASH]));
  return old.filter((one) => !live.has(hashOf(one))).slice(0, Math.max(0, old.length - limit));
}
