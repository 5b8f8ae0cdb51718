import { deepEqual, type FieldError, FieldPath, fieldForbidden, formatTime } from '@windlass/apimachinery';
import type { Draft, PartStrategy, Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { Findings } from '../validation/findings.ts';
import { validateFinalizers } from '../validation/namespaces.ts';
import { validateResize } from '../validation/pods/pod-resize.ts';
import { validatePod } from '../validation/pods/pods.ts';
import { type Fields, objectAt, objectIn, objectsAt } from '../values.ts';

/** All of the object is as it was, but for its metadata and what `change` then lets through. */
function only(change: (draft: Draft, asked: Draft, old: Stored) => void): PartStrategy['prepare'] {
  return (draft, old) => {
    const asked: Draft = { ...draft };
    for (const field of Object.keys(draft)) if (field !== 'metadata') delete draft[field];
    const { metadata: _, ...rest } = structuredClone(old) as Draft;
    Object.assign(draft, rest);
    change(draft, asked, old);
  };
}

/** The metadata too, but for whose write it is. */
function keepMetadata(draft: Draft, old: Stored): void {
  const { managedFields, resourceVersion } = draft.metadata ?? {};
  draft.metadata = {
    ...structuredClone(old as Draft).metadata,
    ...(managedFields !== undefined && { managedFields }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** `namespaces/finalize`: who has cleaned up takes itself off the list. */
export const namespaceFinalize: PartStrategy = {
  prepare: only((draft, asked) => {
    const finalizers = textsAt(objectAt(asked, 'spec'), 'finalizers');
    const spec = objectIn(draft, 'spec');
    if (finalizers.length === 0) delete spec['finalizers'];
    else spec['finalizers'] = finalizers;
  }),
  validate(object) {
    const findings = new Findings();
    validateFinalizers(textsAt(objectAt(object, 'spec'), 'finalizers'), findings);
    return findings.errors;
  },
};

/** `certificatesigningrequests/approval`: the conditions Approved and Denied, and nothing else. */
export const signingApproval: PartStrategy = {
  prepare: (draft, old, context) => {
    only((kept, asked) => {
      const conditions = objectsAt(objectAt(asked, 'status'), 'conditions');
      const now = formatTime(context.clock.now());
      for (const condition of conditions) {
        condition['lastUpdateTime'] ??= now;
        const before = objectsAt(objectAt(old, 'status'), 'conditions').find(
          ({ type }) => type === condition['type'],
        );
        condition['lastTransitionTime'] ??=
          before?.['status'] === condition['status'] ? before?.['lastTransitionTime'] : now;
      }
      if (conditions.length > 0) objectIn(kept, 'status')['conditions'] = conditions;
    })(draft, old, context);
  },
  validate(object, old) {
    const path = FieldPath.of('status', 'conditions');
    const has = (of: Stored, type: string): boolean =>
      objectsAt(objectAt(of, 'status'), 'conditions').some((condition) => condition['type'] === type);
    const errors: FieldError[] = [];
    for (const type of ['Approved', 'Denied']) {
      if (has(old, type) && !has(object, type))
        errors.push(
          fieldForbidden(path, `updates may not remove a condition of type ${JSON.stringify(type)}`),
        );
    }
    if (has(object, 'Approved') && has(object, 'Denied'))
      errors.push(fieldForbidden(path, 'Approved and Denied conditions are mutually exclusive'));
    return errors;
  },
};

/** `pods/ephemeralcontainers`: more of them may be added; those that are there stay as they are. */
export const podEphemeralContainers: PartStrategy = {
  prepare: only((draft, asked, old) => {
    keepMetadata(draft, old);
    const containers = objectAt(asked, 'spec')?.['ephemeralContainers'];
    if (containers !== undefined) objectIn(draft, 'spec')['ephemeralContainers'] = containers;
  }),
  validate(object, old) {
    const findings = new Findings();
    validatePod(object, findings);
    const path = FieldPath.of('spec', 'ephemeralContainers');
    const now = new Map(containersOf(object, 'ephemeralContainers'));
    for (const [name, container] of containersOf(old, 'ephemeralContainers')) {
      const kept = now.get(name);
      const what = `existing ephemeral containers ${JSON.stringify(name)} may not be`;
      if (kept === undefined) findings.forbidden(path, `${what} removed\n`);
      else if (!deepEqual(kept, container)) findings.forbidden(path, `${what} changed\n`);
    }
    return findings.errors;
  },
};

/** `pods/resize`: what containers that are there ask for, and how they take a change of it. */
export const podResize: PartStrategy = {
  prepare: only((draft, asked, old) => {
    keepMetadata(draft, old);
    const spec = objectIn(draft, 'spec');
    for (const list of ['containers', 'initContainers']) {
      const before = new Map(containersOf(old, list));
      const wanted = containersOf(asked, list);
      if (wanted.length === 0) delete spec[list];
      else spec[list] = wanted.map(([name, container]) => resized(before.get(name), container));
    }
  }),
  validate(object, old) {
    const findings = new Findings();
    validatePod(object, findings);
    validateResize(object, old, findings);
    return findings.errors;
  },
};

/** One that is new is refused later, as it came. */
function resized(before: Fields | undefined, wanted: Fields): Fields {
  if (before === undefined) return wanted;
  const { resources: _resources, resizePolicy: _policy, ...kept } = structuredClone(before);
  const { resources, resizePolicy } = wanted;
  return {
    ...kept,
    ...(resources !== undefined && { resources }),
    ...(resizePolicy !== undefined && { resizePolicy }),
  };
}

/** `pods/binding` writes the pod by its handler, which has looked at everything already. */
export const podBindingPart: PartStrategy = { prepare: () => {}, keepsGeneration: true };

function containersOf(pod: Stored | Draft, list: string): [string, Fields][] {
  return objectsAt(objectAt(pod, 'spec'), list).map((container) => [textAt(container, 'name'), container]);
}
