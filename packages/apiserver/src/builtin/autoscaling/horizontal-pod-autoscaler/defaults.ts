import type { HorizontalPodAutoscaler as AutoscalerV1 } from '@windlass/apimachinery/api/autoscaling/v1';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { DraftOf } from '../../../resource/views.ts';
import { METRICS_ANNOTATION } from './conversion.ts';

export function setAutoscalerV1Defaults(draft: DraftOf<AutoscalerV1>): void {
  draft.spec ??= {};
  draft.spec.minReplicas ??= 1;
  if (draft.metadata?.annotations?.[METRICS_ANNOTATION] === undefined)
    draft.spec.targetCPUUtilizationPercentage ??= 80;
}

export function setAutoscalerDefaults(draft: DraftOf<HorizontalPodAutoscaler>): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.minReplicas ??= 1;
  if (spec.behavior !== undefined) setBehaviorDefaults(spec.behavior);
  if ((spec.metrics ?? []).length > 0) return;
  spec.metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
}

const SCALE_UP: HPAScalingPolicy[] = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const SCALE_DOWN: HPAScalingPolicy[] = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

/** Who says anything about the way of scaling gets all of it said. */
function setBehaviorDefaults(behavior: DraftOf<HorizontalPodAutoscalerBehavior>): void {
  behavior.scaleUp ??= {};
  behavior.scaleUp.stabilizationWindowSeconds ??= 0;
  behavior.scaleUp.selectPolicy ??= 'Max';
  behavior.scaleUp.policies ??= structuredClone(SCALE_UP);
  behavior.scaleDown ??= {};
  behavior.scaleDown.selectPolicy ??= 'Max';
  behavior.scaleDown.policies ??= structuredClone(SCALE_DOWN);
}
