import type { Cached, KubeObject, ResourceType } from '@windlass/apimachinery';
import type { ApplyConfiguration } from '@windlass/client';

/** Whether a child does its work yet. The message says what is missing, or what went wrong. */
export interface Readiness {
  /** `failed`: it does not get ready by itself. */
  readonly state: 'ready' | 'waiting' | 'failed';
  readonly message: string;
}

/** True and false say whether it is ready; a text says that it is not, and why. */
export type ReadinessAnswer = boolean | string | Readiness;

/** An object that its parent wants to be there. It is made by `child`. */
export interface Child {
  readonly type: ResourceType;
  /** What is applied, but for what marks it as the parent's. */
  readonly configuration: ApplyConfiguration<KubeObject>;
  readonly after: readonly Child[];
  readonly ready: ((object: Cached<KubeObject>) => ReadinessAnswer) | undefined;
}

/** When a child is applied, and when it counts as ready. */
export interface ChildOptions<T extends KubeObject> {
  /**
   * It is applied only while all of these are ready. What is there already stays as it is meanwhile.
   * They must be declared, too. @default it waits for none
   */
  readonly after?: readonly Child[];
  /** @default the test of its kind */
  readonly ready?: (object: Cached<T>) => ReadinessAnswer;
}

/**
 * Declares a child: its kind, and the fields that the parent decides. It needs a name. Its namespace is
 * the parent's, unless it says so or its kind has none. `apiVersion` and `kind` come from the type.
 */
export function child<T extends KubeObject>(
  type: ResourceType<T>,
  configuration: ApplyConfiguration<NoInfer<T>>,
  { after = [], ready }: ChildOptions<NoInfer<T>> = {},
): Child {
  // Children of all kinds stand in one list. The test is only ever given objects of the child's own kind.
  const test = ready as Child['ready'];
  return { type, configuration, after, ready: test };
}

/** A readiness test for all children of a kind. It is made by `readyWhen`. */
export interface KindReadiness {
  readonly type: ResourceType;
  readonly ready: (object: Cached<KubeObject>) => ReadinessAnswer;
}

/** Declares when children of a kind are ready, instead of what is known of the kind. */
export function readyWhen<T extends KubeObject>(
  type: ResourceType<T>,
  ready: (object: Cached<NoInfer<T>>) => ReadinessAnswer,
): KindReadiness {
  // As above: it is only given objects of this kind.
  return { type, ready: ready as KindReadiness['ready'] };
}
