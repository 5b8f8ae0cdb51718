// Pods and what is known of them, for tests of what the node agent decides.

import type { Served } from '@windlass/apimachinery';
import { Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import type { RunningContainer } from '../runtime/runtime.ts';
import { type ContainerRecord, newPodRecord, type PodRecord } from './pod-record.ts';

export const NOW = Date.UTC(2026, 0, 1);

const container: RunningContainer = {
  id: 'test://1',
  startedAt: NOW,
  stop: () => {},
  probe: async () => ({ isSuccess: true }),
};

/** `new`; `run`; `run!` with its startup done and ready; or an exit code; `wait N` after one. */
export type Known = 'new' | 'run' | 'run!' | 'stopping' | number | `wait ${number}`;

export function testPod(spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Served<Pod> {
  return served(Pod, {
    metadata: { name: 'p', namespace: 'default', uid: 'u', ...metadata },
    spec: { containers: [{ name: 'a', image: 'x' }], ...spec },
  });
}

export function testRecord(
  pod: Served<Pod>,
  known: Readonly<Record<string, Known>>,
  more: Partial<PodRecord> = {},
): PodRecord {
  const record = newPodRecord(pod, 'default/p', NOW);
  for (const [name, state] of Object.entries(known)) {
    const found = record.containers.get(name);
    if (found !== undefined) apply(found, state);
  }
  return Object.assign(record, more);
}

function apply(record: ContainerRecord, state: Known): void {
  record.image = { image: 'x', imageID: 'x', sizeBytes: 0, wasPresent: true };
  const ended = (exitCode: number) => ({
    kind: 'terminated' as const,
    id: 'test://1',
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: NOW,
    finishedAt: NOW,
  });
  if (state === 'new') return;
  if (typeof state === 'number') record.phase = ended(state);
  else if (state.startsWith('wait')) {
    record.last = ended(Number(state.slice(5)));
    record.phase = { kind: 'waiting', reason: 'CrashLoopBackOff' };
  } else {
    record.phase = {
      kind: 'running',
      id: 'test://1',
      startedAt: NOW,
      container,
      ...(state === 'stopping' && { stopAt: NOW + 30_000 }),
    };
    record.isStarted = state === 'run!';
    record.isReady = state === 'run!';
  }
}
