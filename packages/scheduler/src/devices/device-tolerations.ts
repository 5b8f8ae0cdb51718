import type { DeepReadonly } from '@windlass/apimachinery';
import type { Device, DeviceTaint, DeviceToleration } from '@windlass/apimachinery/api/resource/v1';

/** Other effects only inform. */
const PREVENTING: ReadonlySet<string> = new Set(['NoSchedule', 'NoExecute']);

/** Whether a request may not have the device because of a taint that it does not tolerate. */
export function isTaintedFor(
  { taints = [] }: DeepReadonly<Device>,
  tolerations: readonly DeepReadonly<DeviceToleration>[],
): boolean {
  return taints.some(
    (taint) =>
      PREVENTING.has(taint.effect) &&
      !tolerations.some((toleration) => toleratesDeviceTaint(toleration, taint)),
  );
}

function toleratesDeviceTaint(
  { key = '', operator = 'Equal', value = '', effect = '' }: DeepReadonly<DeviceToleration>,
  taint: DeepReadonly<DeviceTaint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''));
}
