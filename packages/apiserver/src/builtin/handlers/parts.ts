import { deepEqual, type FieldError, FieldPath, fieldForbidden, formatTime } from '@windlass/apimachinery';
import type { Draft, PartStrategy, Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { Findings } from '../validation/findings.ts';
import { validateFinalizers } from '../validation/namespaces.ts';
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
    const path = FieldPath.of('spec', 'ephemeralContainers');
    const now = new Map(containersOf(object, 'ephemeralContainers'));
    return containersOf(old, 'ephemeralContainers').flatMap(([name, container]) => {
      const kept = now.get(name);
      if (kept === undefined)
        return [
          fieldForbidden(path, `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`),
        ];
      return deepEqual(kept, container)
        ? []
        : [
            fieldForbidden(
              path,
              `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n`,
            ),
          ];
    });
  },
};

/** `pods/resize`: what containers that are there ask for, and how they take a change of it. */
export const podResize: PartStrategy = {
  prepare: only((draft, asked, old) => {
    keepMetadata(draft, old);
    for (const list of ['containers', 'initContainers']) {
      const wanted = new Map(containersOf(asked, list));
      for (const [name, container] of containersOf(draft, list)) {
        const change = wanted.get(name);
        if (change === undefined) continue;
        for (const field of ['resources', 'resizePolicy']) {
          if (change[field] === undefined) delete container[field];
          else container[field] = change[field];
        }
      }
    }
  }),
  validate(object, old) {
    const path = FieldPath.of('spec');
    return objectAt(object, 'status')?.['qosClass'] === objectAt(old, 'status')?.['qosClass']
      ? []
      : [fieldForbidden(path, 'Pod QOS Class may not change as a result of resizing')];
  },
};

/** `pods/binding` writes the pod by its handler, which has looked at everything already. */
export const podBindingPart: PartStrategy = { prepare: () => {}, keepsGeneration: true };

function containersOf(pod: Stored | Draft, list: string): [string, Fields][] {
  return objectsAt(objectAt(pod, 'spec'), list).map((container) => [textAt(container, 'name'), container]);
}
