import {
  type Cached,
  findCondition,
  hasFinalizer,
  isBeingDeleted,
  isConflict,
  type KubeObject,
  keyOf,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { MergePatch } from '@windlass/client';
import { TerminalError } from '../errors.ts';
import type { Manager } from '../manager/manager.ts';
import type { KindClient } from '../objects/kind-client.ts';
import type { ReconcileContext } from '../reconciler.ts';
import type { ReconcileOutcome } from '../result.ts';
import { Applied } from './applied.ts';
import { applyChild } from './apply-child.ts';
import type { Child, KindReadiness } from './child.ts';
import { cleanUp, hasLabelOwned, kindsOf, LEFT_OVER_MS } from './clean-up.ts';
import { type ChildState, invalidVerdicts, type Verdict, verdictsOf } from './conditions.ts';
import { type Declared, declare, type Family, idOf, type MaybeChild, titleOf } from './declaration.ts';
import { parentCheck, StaleParentError } from './fresh-parent.ts';
import { isMarked, selectorOf } from './marks.ts';
import { type ObservedChild, type ObservedChildren, observedChildren } from './observed.ts';
import { Places } from './places.ts';
import { deleteChild, listLive } from './prune.ts';
import { markParent, recordedKinds, recordName } from './record.ts';
import { statusOf, statusPatch } from './status.ts';

export interface DependentsReconcilerOptions<P extends KubeObject> {
  readonly manager: Manager;
  readonly parents: KindClient<P>;
  readonly family: Family;
  readonly children: (parent: Cached<P>, observed: ObservedChildren) => Iterable<MaybeChild>;
  readonly readiness: readonly KindReadiness[];
  readonly status: ((parent: Cached<P>, children: ObservedChildren) => object) | undefined;
  readonly fieldManager: string;
  readonly force: boolean;
}

/** What a run passes on from step to step. */
interface Run<P extends KubeObject> extends Pick<ReconcileContext, 'signal' | 'recorder'> {
  readonly key: string;
  /** As it was read, or as our own marks have left it. */
  readonly parent: Cached<P>;
  /** The parent's children that are there, declared or not. */
  readonly owned: readonly ObservedChild[];
  readonly declared: readonly Declared[];
  readonly confirmParent: () => Promise<void>;
}

/** Makes the children of a parent what they are declared to be. All it needs to know is in the cluster. */
export class DependentsReconciler<P extends KubeObject> {
  readonly places = new Places();
  readonly #options: DependentsReconcilerOptions<P>;
  readonly #applied: Applied;
  /** By parent, a status that the server took without a change: its schema lacks a field. */
  readonly #futile = new Map<string, string>();

  constructor(options: DependentsReconcilerOptions<P>) {
    this.#options = options;
    this.#applied = new Applied(options.fieldManager);
    const { owns, mark } = options.family;
    for (const type of owns)
      options.manager.objects(type).addIndex(mark, ({ metadata }) => {
        const uid = metadata.labels?.[mark];
        return uid === undefined ? [] : [uid];
      });
  }

  async reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const { manager, parents, family } = this.#options;
    const parent = await parents.find(key, { signal });
    if (parent === undefined || isBeingDeleted(parent)) this.#forget(key);
    if (parent === undefined) return undefined;
    if (isBeingDeleted(parent)) {
      if (!(await cleanUp(manager, parent, family, signal))) return { requeueAfterMs: LEFT_OVER_MS };
      if (hasFinalizer(parent, family.mark)) await this.#mark(parent, [], false, signal);
      return undefined;
    }
    const owned = await this.#ownedBy(parent, signal);
    const declared = this.#declare(parent, owned);
    const base = { key, signal, recorder, owned };
    if (declared instanceof Error) {
      const message = `the children cannot be declared: ${declared.message}`;
      const confirmParent = parentCheck(parents, parent, signal);
      await this.#writeStatus({ ...base, parent, declared: [], confirmParent }, invalidVerdicts(message), {});
      throw new TerminalError(message, declared);
    }
    try {
      // Before the first child of a kind is made, the parent remembers the kind, and has its finalizer.
      const needsFinalizer =
        hasFinalizer(parent, family.mark) || declared.some((child) => !child.byReference);
      const marked = await this.#mark(parent, declared, needsFinalizer, signal);
      const confirmParent = parentCheck(parents, marked, signal);
      return await this.#converge({ ...base, parent: marked, declared, confirmParent });
    } catch (error) {
      // Somebody else has written first, and the cache is to catch up: nothing failed.
      if (error instanceof StaleParentError || isConflict(error)) return { requeue: true };
      throw error;
    }
  }

  async #converge(run: Run<P>): Promise<ReconcileOutcome> {
    this.places.want(run.key, run.declared);
    const states = await this.#applyAll(run);
    this.#applied.keep(run.key, run.declared);
    const { parent, leaving, isLeftOver } = await this.#prune(run);
    const { status } = this.#options;
    const seen = states.flatMap(({ declared, object }) =>
      object === undefined ? [] : [{ type: declared.type, object }],
    );
    const observed = observedChildren(namespaceOf(parent), [...run.owned, ...seen]);
    // What the user's function returns is an object, whose fields are only compared and sent.
    const fields = (status?.(parent, observed) ?? {}) as Readonly<Record<string, unknown>>;
    await this.#writeStatus({ ...run, parent }, verdictsOf(states, leaving), fields);
    const failed = states.find(({ reason }) => reason === 'ApplyFailed');
    if (failed !== undefined) throw toError(failed.error);
    return isLeftOver ? { requeueAfterMs: LEFT_OVER_MS } : undefined;
  }

  #forget(key: string): void {
    this.places.forget(key);
    this.#applied.forget(key);
    this.#futile.delete(key);
  }

  async #ownedBy(parent: Cached<P>, signal: AbortSignal): Promise<ObservedChild[]> {
    const { manager, family } = this.#options;
    const index = { name: family.mark, value: parent.metadata.uid };
    const selector = selectorOf(family.mark, parent);
    const lists = family.owns.map(async (type) => {
      const objects = await manager.objects(type).list({ index, selector, signal });
      return objects
        .filter((object) => isMarked(object, parent, family.mark))
        .map((object) => ({ type, object }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** An error is what the user's function threw, or what is wrong with what it returned. */
  #declare(parent: Cached<P>, owned: readonly ObservedChild[]): Declared[] | Error {
    const { children, family } = this.#options;
    try {
      const observed = observedChildren(namespaceOf(parent), owned);
      return declare(parent, children(parent, observed), family);
    } catch (error) {
      return toError(error);
    }
  }

  #mark(
    parent: Cached<P>,
    declared: readonly Declared[],
    finalizer: boolean,
    signal: AbortSignal,
    without: ReadonlySet<string> = new Set(),
  ): Promise<Cached<P>> {
    const { parents, family } = this.#options;
    const names = declared.map(({ type }) => recordName(type));
    const recorded = [...recordedKinds(parent, family.mark).keys()].filter((name) => !without.has(name));
    return markParent(parents, parent, family.mark, { kinds: [...recorded, ...names], finalizer }, signal);
  }

  async #applyAll(run: Run<P>): Promise<(ChildState & { readonly error?: unknown })[]> {
    const { manager, family, fieldManager, force, readiness } = this.#options;
    const context = { ...run, mark: family.mark, fieldManager, force, readiness, applied: this.#applied };
    const states = new Map<Child, ChildState & { readonly error?: unknown }>();
    for (const declared of run.declared) {
      const earlier = declared.child.after.map((child) => states.get(child));
      const missing = earlier.find((state) => state?.reason !== 'Ready');
      if (missing === undefined) {
        const state = await applyChild(declared, manager.objects(declared.type), context);
        states.set(declared.child, state);
        continue;
      }
      const there = run.owned.find(({ type, object }) => idOf(type, keyOf(object)) === declared.id);
      states.set(declared.child, {
        declared,
        reason: 'WaitingForChild',
        message: `it waits for ${missing.declared.title}`,
        ...(there !== undefined && { object: there.object }),
      });
    }
    return [...states.values()];
  }

  /** Deletes what is no longer declared, and gives up marks that are no longer needed. */
  async #prune(run: Run<P>): Promise<{ parent: Cached<P>; leaving: string[]; isLeftOver: boolean }> {
    const { manager, family } = this.#options;
    const { mark, owns } = family;
    const { parent, signal } = run;
    const ids = new Set(run.declared.map(({ id }) => id));
    const leaving: string[] = [];
    const prune = async (objects: KindClient<KubeObject>, object: Cached<KubeObject>, title: string) => {
      if (isBeingDeleted(object) || (object.metadata.finalizers?.length ?? 0) > 0) leaving.push(title);
      if (isBeingDeleted(object)) return;
      await run.confirmParent();
      if (await deleteChild(objects, object, parent, mark, signal))
        run.recorder.normal(parent, 'Pruned', `deleted ${title}, which is no longer declared`, {
          related: object,
        });
    };
    for (const { type, object } of run.owned)
      if (!ids.has(idOf(type, keyOf(object))))
        await prune(manager.objects(type), object, titleOf(type, keyOf(object)));

    const owned = new Set(owns.map(recordName));
    const kinds = kindsOf(manager, parent, family);
    const emptied = new Set<string>();
    for (const [name, objects] of kinds) {
      if (owned.has(name)) continue;
      for (const object of await listLive(objects, parent, mark, signal))
        await prune(objects, object, `${object.kind ?? name} ${keyOf(object)}`);
      if ((await listLive(objects, parent, mark, signal)).length === 0) emptied.add(name);
    }
    const isLeftOver = kinds.size - emptied.size > owned.size;
    const hasFinal = hasFinalizer(parent, mark);
    const finalizer =
      hasFinal &&
      (run.declared.some((child) => !child.byReference) ||
        (await hasLabelOwned(kinds.values(), parent, mark, signal)));
    const marked = await this.#mark(parent, run.declared, finalizer, signal, emptied);
    return { parent: marked, leaving, isLeftOver };
  }

  async #writeStatus(
    { key, parent, recorder, signal }: Run<P>,
    verdicts: readonly Verdict[],
    fields: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { manager, parents } = this.#options;
    const status = statusPatch(parent, verdicts, fields, manager.clock);
    if (status === undefined) return;
    const { resourceVersion } = parent.metadata;
    const attempt = JSON.stringify([resourceVersion, verdicts, fields]);
    if (this.#futile.get(key) === attempt) return;
    const before = findCondition(statusOf(parent).conditions, 'Ready');
    // The version guards conditions of others, since a list is written as a whole. The patch is of fields
    // that the user's status type has, and of conditions.
    const patch = { metadata: { resourceVersion }, status } as unknown as MergePatch<P>;
    const written = await parents.status.patch(key, patch, { signal });
    if (written.metadata.resourceVersion === resourceVersion) this.#futile.set(key, attempt);
    else this.#futile.delete(key);
    const ready = verdicts.find(({ type }) => type === 'Ready');
    if (ready === undefined || (ready.reason === before?.reason && ready.message === before.message)) return;
    if (WORTH_A_WARNING.has(ready.reason)) recorder.warning(parent, ready.reason, ready.message);
  }
}

const WORTH_A_WARNING: ReadonlySet<string> = new Set([
  'NotOwned',
  'FieldConflict',
  'ChildFailed',
  'ApplyFailed',
  'InvalidDeclaration',
]);

function namespaceOf(parent: Cached<KubeObject>): string | undefined {
  return parent.metadata.namespace;
}
