import type { Taint, Toleration } from '../generated/api/core/v1.ts';
import type { DeepReadonly } from '../object.ts';
import { bigIntegerOf } from '../text/big-integer.ts';

const HARD = new Set(['NoSchedule', 'NoExecute']);
const INTEGER = /^-?\d+$/;

/** Whether one of the tolerations tolerates the taint. */
export function tolerates(
  tolerations: readonly DeepReadonly<Toleration>[],
  taint: DeepReadonly<Taint>,
): boolean {
  return tolerations.some((toleration) => toleratesBy(toleration, taint));
}

function toleratesBy(
  { effect = '', key = '', operator = '', value = '' }: DeepReadonly<Toleration>,
  taint: DeepReadonly<Taint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  const has = taint.value ?? '';
  switch (operator) {
    case '':
    case 'Equal':
      return value === has;
    case 'Exists':
      return true;
    case 'Gt':
    case 'Lt':
      if (!INTEGER.test(value) || !INTEGER.test(has)) return false;
      return operator === 'Gt'
        ? bigIntegerOf(has) > bigIntegerOf(value)
        : bigIntegerOf(has) < bigIntegerOf(value);
    default:
      return false;
  }
}

/** The first taint of these effects that is not tolerated. */
export function untoleratedTaint(
  taints: readonly DeepReadonly<Taint>[],
  tolerations: readonly DeepReadonly<Toleration>[],
  effects: ReadonlySet<string> = HARD,
): DeepReadonly<Taint> | undefined {
  return taints.find((taint) => effects.has(taint.effect) && !tolerates(tolerations, taint));
}
