// The scenarios on a real kube-apiserver, once with our controllers and once with the real
// kube-controller-manager: what one can see afterwards must be the same, but for what
// ../scenarios/differences.ts names. WINDLASS_SCENARIO=text walks only those whose name has the text.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { realClock } from '@windlass/base';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { addControllers, CONTROLLERS } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';
import { SCENARIOS } from '../scenarios/all.ts';
import { compareOutcomes, type Difference } from '../scenarios/compare.ts';
import { KNOWN_DIFFERENCES } from '../scenarios/differences.ts';
import { beat, makeNode } from '../scenarios/node-stand-in.ts';
import type { Outcome } from '../scenarios/outcome.ts';
import { walk } from '../scenarios/walk.ts';
import { type RealCluster, startRealCluster, startRealControllerManager } from './harness/index.ts';

const ONLY = process.env['WINDLASS_SCENARIO'];
const AT_A_TIME = 30;
const POLL_MS = 200;
const BEAT_MS = 10_000;

const chosen = SCENARIOS.filter(({ name }) => ONLY === undefined || name.includes(ONLY));

type Outcomes = ReadonlyMap<string, Outcome | Error>;

let cluster: RealCluster;
let client: Client;
let beating: NodeJS.Timeout;

before(async () => {
  cluster = await startRealCluster();
  client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
  await makeNode(client, realClock);
  beating = setInterval(() => void beat(client, realClock), BEAT_MS);
});
after(async () => {
  clearInterval(beating);
  await client.close();
  await cluster.stop();
});

/** All scenarios, several at a time; `prefix` keeps the namespaces of one manager from those of another. */
async function walkAll(prefix: string): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome | Error>();
  const waiting = [...chosen.entries()];
  const walker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, scenario] = next;
      const outcome = walk(scenario, `${prefix}-${index}`, {
        client,
        clock: realClock,
        pass: () => new Promise((resolve) => setTimeout(resolve, POLL_MS)),
        patienceMs: 60_000,
        quietMs: 2000,
      });
      outcomes.set(scenario.name, await outcome.catch((error: unknown) => error as Error)); // walk throws nothing else
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, walker));
  return outcomes;
}

async function withOurs(): Promise<Outcomes> {
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  await using manager = new Manager({ config, clientOptions: { fieldManager: 'kube-controller-manager' } });
  addControllers(manager, { rootCa: cluster.ca });
  await manager.start();
  return await walkAll('ours');
}

async function withTheirs(): Promise<Outcomes> {
  await using _manager = await startRealControllerManager(cluster, {
    // Ours have the names of the originals: each side runs the same ones.
    controllers: CONTROLLERS.map(({ name }) => name),
    args: ['--kube-api-qps=1000', '--kube-api-burst=1000'],
    log: (line) => console.error(line),
  });
  return await walkAll('peer');
}

describe('the scenarios', () => {
  let ours: Outcomes;
  let theirs: Outcomes;
  const used = new Set<RegExp>();
  before(async () => {
    ours = await withOurs();
    theirs = await withTheirs();
  });

  for (const { name } of chosen)
    it(name, () => {
      const [mine, peer] = [ours.get(name), theirs.get(name)];
      if (mine === undefined || mine instanceof Error) throw mine ?? new Error('not walked');
      if (peer === undefined || peer instanceof Error) throw new Error('with the peer', { cause: peer });
      const unexplained = compareOutcomes(name, mine, peer).filter(isUnexplained);
      assert.equal(unexplained.length, 0, `\n${unexplained.map(({ text }) => text).join('\n')}\n`);
    });

  it('the list of differences has none that is gone', () => {
    const unused =
      ONLY === undefined
        ? KNOWN_DIFFERENCES.filter(({ pattern, mayVaryIn }) => mayVaryIn === undefined && !used.has(pattern))
        : [];
    assert.deepEqual(unused, []);
  });

  function isUnexplained({ scenario, text }: Difference): boolean {
    const known = KNOWN_DIFFERENCES.find(
      ({ pattern, mayVaryIn }) => pattern.test(text) && (mayVaryIn ?? scenario) === scenario,
    );
    if (known !== undefined) used.add(known.pattern);
    return known === undefined;
  }
});
