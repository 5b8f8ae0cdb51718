import type { Cached, KubeObject, ResourceType } from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import type { Controller } from '../controller.ts';
import type { Manager } from '../manager/manager.ts';
import type { ManagedControllerOptions, WatchOptions } from '../watch-options.ts';
import type { KindReadiness } from './child.ts';
import type { MaybeChild } from './declaration.ts';
import { markOf, toParent } from './marks.ts';
import type { ObservedChildren } from './observed.ts';
import { DependentsReconciler } from './reconciler.ts';

/** The fields of a kind's status, without the conditions. */
export type StatusFields<P> = P extends { readonly status?: infer S }
  ? { readonly [K in Exclude<keyof NonNullable<S>, 'conditions'>]?: NonNullable<S>[K] | undefined }
  : Readonly<Record<string, unknown>>;

/** Which children a parent has, and how its status follows from them. */
export interface DependentsOptions<P extends KubeObject> extends ManagedControllerOptions {
  /**
   * The controller's name. Children are marked with it, so a new name makes an operator forget the children
   * of the old one. @default the kind in lower case
   */
  readonly name?: string;
  /** The kinds of all children: they are watched. */
  readonly owns: readonly ResourceType[];
  /**
   * The children that a parent should have now. A pure function: it is called often, and what it no longer
   * returns is deleted. Entries that are false, null or undefined are left out.
   */
  readonly children: (parent: Cached<P>, observed: ObservedChildren) => Iterable<MaybeChild>;
  /** When children of a kind are ready, made by `readyWhen`. @default what is known of the kind */
  readonly ready?: readonly KindReadiness[];
  /** Fields of the parent's status beside the conditions. Undefined removes a field. @default none */
  readonly status?: (parent: Cached<P>, children: ObservedChildren) => StatusFields<P>;
  /** Who owns the fields that are applied. @default the name */
  readonly fieldManager?: string;
  /**
   * Whether fields that somebody else has set are taken over. Without it they stay as they are, and the
   * condition Ready says who holds them. @default false
   */
  readonly force?: boolean;
  /** Which parents count. @default all */
  readonly parents?: WatchOptions<P>;
}

/**
 * Adds a controller for the shape "this object owns these objects". It applies the children that `children`
 * declares, deletes those that are no longer declared, and says in the parent's conditions Ready and
 * Progressing how it stands. At rest it sends nothing.
 *
 * A child is the parent's by an owner reference, and the garbage collector deletes it. Where there can be
 * none, because the child lives in no namespace or in another one, it is by a label, and the parent gets a
 * finalizer. An object that is there already and is not the parent's is never touched.
 */
export function addDependents<P extends KubeObject>(
  manager: Manager,
  type: ResourceType<P>,
  options: DependentsOptions<NoInfer<P>>,
): Controller {
  const { name = type.kind.toLowerCase(), owns, children, ready = [], status, ...rest } = options;
  const { fieldManager = name, force = false, parents = {}, ...controllerOptions } = rest;
  if (!/^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/.test(name))
    throw new InvalidArgumentError(
      'name',
      name,
      'at most 63 lower-case letters, digits, dashes and dots: it becomes the name of a label',
    );
  if (owns.length === 0) throw new InvalidArgumentError('owns', owns, 'the kinds of all children');
  const mark = markOf(name);
  const reconciler = new DependentsReconciler<P>({
    manager,
    parents: manager.objects(type),
    family: { parentType: type, owns, mark },
    children,
    readiness: ready,
    status,
    fieldManager,
    force,
  });
  const builder = manager.controller(name).for<P>(type, parents);
  const toMarked = toParent(type, mark);
  for (const owned of owns) {
    const toWanting = reconciler.places.mapping(owned);
    builder.watches(owned, (object) => new Set([...toMarked(object), ...toWanting(object)]));
  }
  return builder.reconcile((key, context) => reconciler.reconcile(key, context), controllerOptions);
}
