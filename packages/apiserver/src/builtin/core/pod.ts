import { deepEqual, type FieldError, FieldPath, fieldForbidden } from '@windlass/apimachinery';
import type { Draft, Stored, Strategy } from '../../resource/strategy.ts';
import { podBindingPart, podEphemeralContainers, podResize } from '../handlers/parts.ts';
import { type Fields, objectAt, objectIn, objectsAt } from '../values.ts';
import { setPodDefaults } from './defaults.ts';
import { qosClassOf } from './qos-class.ts';

const DEFAULT_GRACE_SECONDS = 30;

export const podStrategy: Strategy = {
  setDefaults: setPodDefaults,
  generation: 'spec',
  returnsDeletedObject: true,
  prepareForCreate(draft) {
    const status = objectIn(draft, 'status');
    for (const field of Object.keys(status)) delete status[field];
    status['phase'] = 'Pending';
    status['qosClass'] = qosClassOf(objectIn(draft, 'spec'));
    setGatedCondition(draft);
  },
  prepareForUpdate: (draft, old) => void (draft['status'] = old['status']),
  prepareForStatusUpdate(draft, old) {
    const owners = old.metadata?.ownerReferences;
    if (draft.metadata !== undefined && owners !== undefined) {
      draft.metadata.ownerReferences = owners.map((owner) => ({ ...owner }));
    }
    const qos = objectAt(old, 'status')?.['qosClass'];
    if (qos !== undefined) objectIn(draft, 'status')['qosClass'] = qos;
  },
  parts: { binding: podBindingPart, ephemeralcontainers: podEphemeralContainers, resize: podResize },
  validateUpdate: validatePodUpdate,
  gracePeriod(object, asked) {
    const spec = objectAt(object, 'spec');
    const phase = objectAt(object, 'status')?.['phase'];
    // Nothing runs yet, or any more, so there is nobody to wait for.
    if (
      spec?.['nodeName'] === undefined ||
      spec['nodeName'] === '' ||
      phase === 'Succeeded' ||
      phase === 'Failed'
    )
      return 0;
    const configured = spec['terminationGracePeriodSeconds'];
    const period = asked ?? (typeof configured === 'number' ? configured : DEFAULT_GRACE_SECONDS);
    return period < 0 ? 1 : period;
  },
};

function setGatedCondition(draft: Draft): void {
  if (objectsAt(objectAt(draft, 'spec'), 'schedulingGates').length === 0) return;
  objectIn(draft, 'status')['conditions'] = [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ];
}

const MUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function validatePodUpdate(object: Stored, old: Stored): FieldError[] {
  const normalised = (pod: Stored): Fields => {
    const spec = { ...objectAt(pod, 'spec') };
    for (const list of ['containers', 'initContainers']) {
      if (Array.isArray(spec[list]))
        spec[list] = objectsAt(spec, list).map((container) => ({ ...container, image: '' }));
    }
    for (const field of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']) delete spec[field];
    return spec;
  };
  return deepEqual(normalised(object), normalised(old))
    ? []
    : [fieldForbidden(FieldPath.of('spec'), MUTABLE)];
}
