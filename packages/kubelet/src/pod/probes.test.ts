// When probes of containers run, and what their outcomes mean (pkg/kubelet/prober: worker.doProbe).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Probe } from '@windlass/apimachinery/api/core/v1';
import type { ContainerPhase, ContainerRecord } from './pod-record.ts';
import { activeProbes, countOutcome, nextProbeAt } from './probes.ts';

const STARTED = 1_000_000;
const RUNNING = { kind: 'running', id: 'c', startedAt: STARTED, container: {} } as unknown as ContainerPhase; // The container itself is not looked at.

function record(phase: ContainerPhase, isStarted: boolean): ContainerRecord {
  // Only these fields are looked at.
  return { phase, isStarted, probes: new Map() } as unknown as ContainerRecord;
}
const container = (probe: Probe): Container => ({
  name: 'c',
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
});

describe('the probes that count', () => {
  const all = container({});
  for (const [what, spec, phase, isStarted, wanted] of [
    ['are only the startup probe until the container has started', all, RUNNING, false, ['startup']],
    ['are the others from then on', all, RUNNING, true, ['readiness', 'liveness']],
    ['are those that the container has', { name: 'c', livenessProbe: {} }, RUNNING, true, ['liveness']],
    ['are none of a container that waits', all, { kind: 'waiting', reason: '' }, true, []],
    [
      'are none of a container that is being stopped',
      all,
      { ...RUNNING, stopAt: 5 } as ContainerPhase,
      true,
      [],
    ],
  ] as [string, Container, ContainerPhase, boolean, string[]][])
    it(what, () => {
      assert.deepEqual(activeProbes(spec, record(phase, isStarted)), wanted);
    });
});

describe('a probe', () => {
  it('runs first after its delay, and then after each period', () => {
    const known = record(RUNNING, true);
    assert.equal(nextProbeAt(container({}), known, 'liveness'), STARTED);
    assert.equal(nextProbeAt(container({ initialDelaySeconds: 7 }), known, 'liveness'), STARTED + 7000);
    countOutcome(container({ periodSeconds: 4 }), known, 'liveness', { isSuccess: true }, STARTED + 9000);
    assert.equal(nextProbeAt(container({ periodSeconds: 4 }), known, 'liveness'), STARTED + 13_000);
    countOutcome(container({}), known, 'liveness', { isSuccess: true }, STARTED);
    assert.equal(nextProbeAt(container({}), known, 'liveness'), STARTED + 10_000, 'ten seconds by default');
  });

  // The API server writes the defaults into every probe; they count the same where an object did not come from it.
  const rows: [rule: string, probe: Probe, outcomes: string, verdicts: string][] = [
    ['has passed with the first success by default', {}, '+', 'p'],
    ['has failed with the third failure by default', {}, '---', '..f'],
    ['stays failed', {}, '-----', '..fff'],
    ['passes with as many successes in a row as it says', { successThreshold: 2 }, '+-++', '...p'],
    ['fails with as many failures in a row as it says', { failureThreshold: 2 }, '-+--', '.p.f'],
    [
      'counts a row anew after an outcome of the other kind',
      { successThreshold: 2, failureThreshold: 2 },
      '+-+-+--+',
      '......f.',
    ],
  ];
  for (const [rule, probe, outcomes, verdicts] of rows)
    it(rule, () => {
      const known = record(RUNNING, true);
      const found = outcomes
        .split('')
        .map((outcome) =>
          countOutcome(container(probe), known, 'readiness', { isSuccess: outcome === '+' }, STARTED),
        );
      assert.equal(found.map((verdict) => verdict?.[0] ?? '.').join(''), verdicts);
    });

  it('does not run again when its outcome is steady and its threshold met', () => {
    const known = record(RUNNING, true);
    const steady = { isSuccess: true, isSteady: true };
    const spec = container({ successThreshold: 2 });
    countOutcome(spec, known, 'readiness', steady, STARTED);
    assert.equal(nextProbeAt(spec, known, 'readiness'), STARTED + 10_000);
    countOutcome(spec, known, 'readiness', steady, STARTED);
    assert.equal(nextProbeAt(spec, known, 'readiness'), Number.POSITIVE_INFINITY);
  });
});
