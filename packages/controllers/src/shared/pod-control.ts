import {
  type Cached,
  controllerReferenceTo,
  type DeepReadonly,
  deepCopy,
  hasStatusCause,
  isUidConflict,
  type KubeObject,
  keyOf,
  type ResourceType,
  validateDns1123Subdomain,
} from '@windlass/apimachinery';
import { Pod, type PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { EventRecorder, KindClient } from '@windlass/runtime';
import { NoLabelsError } from '../errors.ts';
import type { ReadonlyPod } from './pods.ts';
import type { TerminatingRefusals } from './terminating-refusals.ts';

export interface PodControlOptions<O extends KubeObject> {
  readonly pods: KindClient<Pod>;
  readonly owner: Cached<O>;
  readonly ownerType: ResourceType<O>;
  /** Of all owners of the controller. */
  readonly refusals: TerminatingRefusals;
  readonly recorder: EventRecorder;
  readonly signal?: AbortSignal;
}

/** A pod as the owner's template describes it, under a name that the server completes. */
export function podFromTemplate<O extends KubeObject>(
  template: DeepReadonly<PodTemplateSpec>,
  owner: Cached<O>,
  ownerType: ResourceType<O>,
): Pod {
  const { labels, annotations, finalizers } = deepCopy<PodTemplateSpec>(template).metadata ?? {};
  return {
    metadata: {
      generateName: prefixFor(owner.metadata.name),
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [controllerReferenceTo(owner, ownerType)],
    },
    ...(template.spec !== undefined && {
      spec: deepCopy<NonNullable<PodTemplateSpec['spec']>>(template.spec),
    }),
  };
}

/** With a dash, unless no pod may have a name that begins so. */
function prefixFor(name: string): string {
  return validateDns1123Subdomain(`${name}-a`).length === 0 ? `${name}-` : name;
}

/** Creates and deletes the pods of one owner, and tells people. */
export class PodControl<O extends KubeObject> {
  readonly #options: PodControlOptions<O>;

  constructor(options: PodControlOptions<O>) {
    this.#options = options;
  }

  /** Does nothing in a namespace that goes: there is no point in trying again. */
  async create(pod: Pod): Promise<void> {
    const { pods, owner, ownerType, refusals, recorder, signal } = this.#options;
    if (refusals.has(owner.metadata.uid)) return;
    try {
      if (Object.keys(pod.metadata?.labels ?? {}).length === 0)
        throw new NoLabelsError(`${ownerType.kind} ${keyOf(owner)}`);
      const created = await pods.create(pod, signal === undefined ? {} : { signal });
      // Naming the pod keeps the events of different pods apart.
      const related = withKind(created, Pod);
      recorder.normal(this.#subject, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`, {
        related,
      });
    } catch (error) {
      if (hasStatusCause(error, 'NamespaceTerminating')) {
        refusals.add(owner.metadata.uid);
        return;
      }
      recorder.warning(this.#subject, 'FailedCreate', `Error creating: ${toError(error).message}`);
      throw error;
    }
  }

  /** Deletes this pod, not a later one of its name. */
  async delete(pod: ReadonlyPod): Promise<void> {
    const { pods, recorder, signal } = this.#options;
    try {
      await pods.delete(keyOf(pod), {
        preconditions: { uid: pod.metadata.uid },
        ...(signal !== undefined && { signal }),
      });
      const related = withKind(pod, Pod);
      recorder.normal(this.#subject, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`, { related });
    } catch (error) {
      if (isUidConflict(error)) return;
      recorder.warning(this.#subject, 'FailedDelete', `Error deleting: ${toError(error).message}`);
      throw error;
    }
  }

  /** What comes from a list does not say its kind, which events must name. */
  get #subject(): Cached<KubeObject> {
    return withKind(this.#options.owner, this.#options.ownerType);
  }
}

export function withKind<T extends Cached<KubeObject>>(object: T, type: ResourceType): T {
  if (object.kind !== undefined) return object;
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return { ...object, apiVersion, kind: type.kind };
}
