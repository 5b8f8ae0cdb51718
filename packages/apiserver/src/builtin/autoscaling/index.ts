import type { BuiltinKind } from '../define-kind.ts';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler/index.ts';

export const autoscalingKinds: readonly BuiltinKind[] = [horizontalPodAutoscaler, horizontalPodAutoscalerV1];
