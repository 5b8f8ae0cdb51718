import { Pod, type Toleration } from '@windlass/apimachinery/api/core/v1';
import type { AdmissionPlugin } from '../admission.ts';
import { isOf, objectOf } from '../request-kind.ts';

const SECONDS = 300;
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/** A pod stays for five minutes on a node that is lost, unless it says otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  handles: (request) => isOf(request, Pod, ['CREATE', 'UPDATE']),
  mutate(request) {
    const { spec } = objectOf(request, Pod);
    if (spec === undefined) return;
    const tolerations = spec.tolerations ?? [];
    const missing = TAINTS.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return;
    spec.tolerations = [
      ...tolerations,
      ...missing.map((key) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: SECONDS,
      })),
    ];
  },
};

function tolerates({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
