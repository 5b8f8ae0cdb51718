import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { RulesOf } from '../../define-kind.ts';

export const podFields: NonNullable<RulesOf<Pod>['selectableFields']> = {
  'spec.nodeName': nodeOf,
  'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
  'status.phase': ({ status }) => status?.phase ?? '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  // The oldest name of the node that a pod is on.
  'spec.host': nodeOf,
  'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
  'status.podIP': addressOf,
  'status.podIPs': addressOf,
};

function nodeOf({ spec }: View<Pod>): string {
  return spec?.nodeName ?? '';
}

function addressOf({ status }: View<Pod>): string {
  return status?.podIPs?.[0]?.ip || status?.podIP || '';
}
