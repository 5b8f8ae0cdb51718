import type { Draft, Strategy } from '../../resource/strategy.ts';
import { podBindingPart, podEphemeralContainers, podResize } from '../handlers/parts.ts';
import { objectAt, objectIn, objectsAt, setDefault, setDefaultText } from '../values.ts';
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
    // Groups of pods are not scheduled as one yet.
    delete objectIn(draft, 'spec')['schedulingGroup'];
    status['qosClass'] = qosClassOf(objectIn(draft, 'spec'));
    setGatedCondition(draft);
  },
  prepareForUpdate(draft, old) {
    draft['status'] = old['status'];
    // Given to the pod when it was made; a client that leaves them out means no change.
    const before = objectAt(old, 'spec');
    for (const field of ['priority', 'preemptionPolicy'])
      if (before?.[field] !== undefined) setDefault(objectIn(draft, 'spec'), field, before[field]);
  },
  prepareForStatusUpdate(draft, old) {
    const owners = old.metadata?.ownerReferences;
    if (draft.metadata !== undefined && owners !== undefined) {
      draft.metadata.ownerReferences = owners.map((owner) => ({ ...owner }));
    }
    const qos = objectAt(old, 'status')?.['qosClass'];
    if (typeof qos === 'string') setDefaultText(objectIn(draft, 'status'), 'qosClass', qos);
  },
  parts: { binding: podBindingPart, ephemeralcontainers: podEphemeralContainers, resize: podResize },
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
