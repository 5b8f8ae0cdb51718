import { formatTime } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { type DraftOf, draftFrom } from '../../../resource/views.ts';
import type { RulesOf } from '../../define-kind.ts';
import { podBindingPart, podEphemeralContainers, podResize } from './parts.ts';
import { qosClassOf } from './qos-class.ts';

const DEFAULT_GRACE_SECONDS = 30;

export const podStrategy: NonNullable<RulesOf<Pod>['strategy']> = {
  generation: 'spec',
  returnsDeletedObject: true,
  prepareForCreate(draft, { clock }) {
    draft.spec ??= {};
    // Groups of pods are not scheduled as one yet.
    delete draft.spec.schedulingGroup;
    draft.status = { phase: 'Pending', qosClass: qosClassOf(draft.spec) };
    setGatedCondition(draft, formatTime(clock.now()));
  },
  prepareForUpdate(draft, old) {
    if (old.status === undefined) delete draft.status;
    else draft.status = draftFrom(old.status);
    // Given to the pod when it was made; a client that leaves them out means no change.
    const { priority, preemptionPolicy } = old.spec ?? {};
    if (priority === undefined && preemptionPolicy === undefined) return;
    draft.spec ??= {};
    if (priority !== undefined) draft.spec.priority ??= priority;
    if (preemptionPolicy !== undefined) draft.spec.preemptionPolicy ??= preemptionPolicy;
  },
  prepareForStatusUpdate(draft, old) {
    const owners = old.metadata?.ownerReferences;
    if (draft.metadata !== undefined && owners !== undefined) {
      draft.metadata.ownerReferences = owners.map((owner) => ({ ...owner }));
    }
    const qosClass = old.status?.qosClass;
    if (qosClass === undefined) return;
    draft.status ??= {};
    draft.status.qosClass ||= qosClass;
  },
  parts: { binding: podBindingPart, ephemeralcontainers: podEphemeralContainers, resize: podResize },
  gracePeriod({ spec, status }, asked) {
    const phase = status?.phase;
    // Nothing runs yet, or any more, so there is nobody to wait for.
    if ((spec?.nodeName ?? '') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
    const period = asked ?? spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
    return period < 0 ? 1 : period;
  },
};

function setGatedCondition({ spec, status }: DraftOf<Pod>, now: string): void {
  if (status === undefined || (spec?.schedulingGates ?? []).length === 0) return;
  status.conditions = [
    {
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
      lastProbeTime: null,
      lastTransitionTime: now,
    },
  ];
}
