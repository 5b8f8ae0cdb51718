// The real kube-controller-manager of the pinned release on a stale watch: kubernetes/kubernetes#129795.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { failureText, type Outcome, runExec, timelineText } from '@windlass/simulation';
import { freePorts } from '../real/harness/free-ports.ts';
import { ensureKubernetesProgram } from '../real/harness/kubernetes-program.ts';
import { staleReplicaSets } from './stale-replica-sets.ts';

const CONTROLLERS = 'replicaset-controller,garbage-collector-controller';
const GATE = 'StaleControllerConsistencyReplicaSet';
const SHORT_MS = 5000;
/** A little more than the five minutes for which a controller waits for what it expects. */
const LONG_MS = 310_000;
const isLong = process.env['WINDLASS_SIM_LONG'] === '1';

let folder: string;
let program: string;

before(async () => {
  program = await ensureKubernetesProgram('kube-controller-manager', (line) => console.error(line));
  folder = await mkdtemp(join(tmpdir(), 'windlass-sim-exec-'));
});

after(() => rm(folder, { recursive: true, force: true }));

async function controllerManager(waitMs: number, gate: boolean): Promise<Outcome> {
  const [port = 0] = await freePorts(1);
  const { options } = staleReplicaSets(waitMs);
  const flags = [
    '--kubeconfig={kubeconfig}',
    '--leader-elect=false',
    `--controllers=${CONTROLLERS}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, String(port))}`,
    `--feature-gates=${GATE}=${gate}`,
  ];
  const command = `${program} ${flags.join(' ')}`;
  return runExec(options, { command, seed: 1, plan: options.plan ?? [], traced: true });
}

const fine = (outcome: Outcome): void =>
  assert.equal(outcome.failure, undefined, `${failureText(outcome)}${timelineText(outcome)}`);

describe('kube-controller-manager does not see its own pods', { concurrency: true }, () => {
  test('for some seconds: it waits for what it expects', async () => {
    fine(await controllerManager(SHORT_MS, true));
  });

  const long = isLong ? {} : { skip: 'it takes six minutes; npm run test:sim-exec -- --long runs it' };
  test('for five minutes: it knows what it has written, and makes no more', long, async () => {
    fine(await controllerManager(LONG_MS, true));
  });

  test(`for five minutes, without ${GATE}: it makes its pods again`, long, async () => {
    const { failure } = await controllerManager(LONG_MS, false);
    assert.equal(failure?.name, 'there are no more pods than replicas');
    assert.match(failure.message, /there are [456] pods for 3 replicas/);
  });
});
