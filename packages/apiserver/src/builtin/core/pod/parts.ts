// Parts of a pod that are written through subresources of their own.
import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Container, Pod, PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { PartStrategy } from '../../../resource/strategy.ts';
import { type DraftOf, draftFrom, type View } from '../../../resource/views.ts';
import { Findings } from '../../shared/findings.ts';
import { neverResized, validateResize } from './resize-validation.ts';
import { validatePod } from './validation.ts';

type PodPart = PartStrategy<DraftOf<Pod>, View<Pod>>;

const EPHEMERAL = FieldPath.of('spec', 'ephemeralContainers');
/** Of the pod as a whole. */
const NOWHERE = FieldPath.of('');

/** `pods/binding` writes the pod by its handler, which has looked at everything already. */
export const podBindingPart: PodPart = { prepare: () => {}, keepsGeneration: true };

/** `pods/ephemeralcontainers`: more of them may be added; those that are there stay as they are. */
export const podEphemeralContainers: PodPart = {
  prepare(draft, old) {
    const asked = restore(draft, old);
    if (asked.ephemeralContainers === undefined) return;
    draft.spec ??= {};
    draft.spec.ephemeralContainers = asked.ephemeralContainers;
  },
  validate(pod, old) {
    const findings = new Findings();
    if (old.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) {
      findings.forbidden(NOWHERE, 'static pods do not support ephemeral containers');
      return findings.errors;
    }
    validatePod(pod, findings);
    const now = byName(pod.spec?.ephemeralContainers ?? []);
    for (const container of old.spec?.ephemeralContainers ?? []) {
      const { name = '' } = container;
      const kept = now.get(name);
      const what = `existing ephemeral containers ${JSON.stringify(name)} may not be`;
      if (kept === undefined) findings.forbidden(EPHEMERAL, `${what} removed\n`);
      else if (!deepEqual(kept, container)) findings.forbidden(EPHEMERAL, `${what} changed\n`);
    }
    return findings.errors;
  },
};

/** `pods/resize`: what the pod and the containers that are there ask for, and how they take a change of it. */
export const podResize: PodPart = {
  prepare(draft, old) {
    const asked = restore(draft, old);
    draft.spec ??= {};
    if (asked.resources === undefined) delete draft.spec.resources;
    else draft.spec.resources = asked.resources;
    for (const list of ['containers', 'initContainers'] as const) {
      const before = byName(old.spec?.[list] ?? []);
      const wanted = asked[list] ?? [];
      if (wanted.length === 0) delete draft.spec[list];
      else draft.spec[list] = wanted.map((container) => resized(before.get(container.name ?? ''), container));
    }
  },
  validate(pod, old) {
    const findings = new Findings();
    const never = neverResized(old);
    if (never !== undefined) {
      findings.forbidden(NOWHERE, never);
      return findings.errors;
    }
    validatePod(pod, findings);
    validateResize(pod, old, findings);
    return findings.errors;
  },
};

/** Makes the draft as the pod was, but for whose write it is. Returns the spec that the client sent. */
function restore(draft: DraftOf<Pod>, old: View<Pod>): DraftOf<PodSpec> {
  const { spec: asked = {}, metadata: { managedFields, resourceVersion } = {} } = draft;
  const { metadata, spec, status } = draftFrom<Pod>(structuredClone(old));
  draft.metadata = {
    ...metadata,
    ...(managedFields !== undefined && { managedFields }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  delete draft.spec;
  delete draft.status;
  if (spec !== undefined) draft.spec = spec;
  if (status !== undefined) draft.status = status;
  return asked;
}

/** One that is new is refused later, as it came. */
function resized(before: View<Container> | undefined, wanted: DraftOf<Container>): DraftOf<Container> {
  if (before === undefined) return wanted;
  const { resources: _resources, resizePolicy: _policy, ...kept } = structuredClone(before);
  const { resources, resizePolicy } = wanted;
  return {
    ...draftFrom<Container>(kept),
    ...(resources !== undefined && { resources }),
    ...(resizePolicy !== undefined && { resizePolicy }),
  };
}

function byName<T extends { readonly name?: string }>(containers: readonly T[]): ReadonlyMap<string, T> {
  return new Map(containers.map((container) => [container.name ?? '', container]));
}
