import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { ContainerRecord, Terminated } from './pod-record.ts';

export const INITIAL_BACK_OFF_MS = 10_000;
export const MAX_BACK_OFF_MS = 300_000;

/** Whether a container that has ended this way is started again: by its own rules, its own policy, the pod's. */
export function isRestarted(
  pod: Cached<Pod>,
  spec: DeepReadonly<Container>,
  role: ContainerRecord['role'],
  exitCode: number,
): boolean {
  if (role === 'sidecar') return true;
  if (role === 'ephemeral') return false;
  for (const { action, exitCodes } of spec.restartPolicyRules ?? []) {
    if (action !== 'Restart' || exitCodes === undefined) continue;
    const isListed = exitCodes.values?.includes(exitCode) ?? false;
    if (isListed === (exitCodes.operator === 'In')) return true;
  }
  const policy = spec.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always';
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/**
 * When a container that has ended may start again. The first time that is at once; then 10 s after its end,
 * doubled with each start up to five minutes, and at once again after it has run well for ten minutes.
 */
export function restartAt(record: ContainerRecord, end: Terminated): number {
  const { backOff } = record;
  if (backOff === undefined || hasRecovered(backOff, end)) return end.finishedAt;
  return end.finishedAt + backOff.delayMs;
}

/** The back-off that counts from a start on. */
export function nextBackOff(
  record: ContainerRecord,
  end: Terminated,
  now: number,
): ContainerRecord['backOff'] {
  const { backOff } = record;
  const delayMs =
    backOff === undefined || hasRecovered(backOff, end)
      ? INITIAL_BACK_OFF_MS
      : Math.min(backOff.delayMs * 2, MAX_BACK_OFF_MS);
  return { delayMs, since: now };
}

function hasRecovered(backOff: { readonly since: number }, end: Terminated): boolean {
  return end.finishedAt - backOff.since > 2 * MAX_BACK_OFF_MS;
}
