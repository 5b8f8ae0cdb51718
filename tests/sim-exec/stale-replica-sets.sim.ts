// Real kube-controller-managers of several releases on a stale watch: kubernetes/kubernetes#129795.
import { before, describe, test } from 'node:test';
import { type Outcome, runExec } from '@windlass/simulation';
import { ensureKubernetesProgram } from '../real/harness/kubernetes-program.ts';
import { kubernetesVersion } from '../real/harness/paths.ts';
import { breaks, fine, titlesOf } from './operator-tests.ts';
import { kept } from './results.ts';
import { isLong, kubernetesReleases } from './settings.ts';
import { staleReplicaSets } from './stale-replica-sets.ts';

const GATE = 'StaleControllerConsistencyReplicaSet';
/** The first release that has the gate, and has it switched on. */
const FIRST_MINOR = 36;
const SHORT_MS = 5000;
/** A little more than the five minutes for which a controller waits for what it expects. */
const LONG_MS = 310_000;
/** They wait most of the time. */
const AT_ONCE = 4;

const FLAGS = [
  '--kubeconfig={kubeconfig}',
  '--leader-elect=false',
  '--controllers=replicaset-controller,garbage-collector-controller',
  '--bind-address=127.0.0.1',
  '--secure-port={port:secure}',
  '--cert-dir={folder}/certificates',
];

const programs = new Map<string, string>();
const releases = isLong ? kubernetesReleases() : [kubernetesVersion()];

before(async () => {
  for (const release of releases)
    programs.set(
      release,
      await ensureKubernetesProgram('kube-controller-manager', (line) => console.error(line), release),
    );
});

const hasGate = (release: string): boolean => Number(release.split('.')[1]) >= FIRST_MINOR;

async function controllerManager(release: string, waitMs: number, gate?: boolean): Promise<Outcome> {
  const { options } = staleReplicaSets(waitMs);
  const gates = gate === undefined ? [] : [`--feature-gates=${GATE}=${gate}`];
  const command = [programs.get(release), ...FLAGS, ...gates].join(' ');
  const outcome = await runExec(options, { command, seed: 1, plan: options.plan ?? [], traced: true });
  const title = `kube-controller-manager ${release}${gate === false ? `, without ${GATE}` : ''}`;
  return kept(title, `pods unseen for ${waitMs / 1000} s`, outcome);
}

function broken(outcome: Outcome): void {
  breaks(outcome, 'there are never more pods than replicas', /there were [456] pods for 3 replicas/);
}

describe('kube-controller-manager does not see its own pods', { concurrency: AT_ONCE }, () => {
  const pinned = kubernetesVersion();
  test(`${pinned}, for some seconds: it waits for what it expects`, async () => {
    fine(await controllerManager(pinned, SHORT_MS));
  });

  const long = isLong ? {} : { skip: 'it takes six minutes; npm run test:sim-exec -- --long runs it' };
  for (const release of releases)
    for (const title of titlesOf(`${release}, for five minutes`)) {
      if (hasGate(release)) {
        test(`${title}: it knows what it has written, and makes no more`, long, async () => {
          fine(await controllerManager(release, LONG_MS));
        });
        test(`${title}, without ${GATE}: it makes its pods again`, long, async () => {
          broken(await controllerManager(release, LONG_MS, false));
        });
      } else
        test(`${title}: it makes its pods again`, long, async () => {
          broken(await controllerManager(release, LONG_MS));
        });
    }
});
