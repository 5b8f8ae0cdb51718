// The scenarios on the embedded server, with our controllers, all at once on a clock that the test moves. What
// comes of them under the real kube-controller-manager, the real lane compares
// (tests/real/controller-scenarios.real.ts).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestCluster } from '@windlass/cluster/testing';
import { type ControlledCluster, startControllers } from '@windlass/controllers/testing';
import { SCENARIOS } from './scenarios/all.ts';
import { beat, makeNode } from './scenarios/node-stand-in.ts';
import type { Outcome } from './scenarios/outcome.ts';
import { walk } from './scenarios/walk.ts';

const SECOND = 1000;
const BEAT_ROUNDS = 10;

/** A second passes when everybody who walks waits for it. */
class Rounds {
  readonly #cluster: TestCluster;
  #waiting: (() => void)[] = [];
  #walkers: number;
  #round = 0;

  constructor(cluster: TestCluster, walkers: number) {
    this.#cluster = cluster;
    this.#walkers = walkers;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#maybePass();
    });
  }

  leave(): void {
    this.#walkers--;
    this.#maybePass();
  }

  #maybePass(): void {
    if (this.#waiting.length > 0 && this.#waiting.length === this.#walkers) void this.#pass();
  }

  async #pass(): Promise<void> {
    const { client, clock } = this.#cluster;
    const waiting = this.#waiting;
    this.#waiting = [];
    await this.#cluster.advance(SECOND);
    if (++this.#round % BEAT_ROUNDS === 0) await beat(client, clock);
    for (const go of waiting) go();
  }
}

describe('on the embedded server', () => {
  let controlled: ControlledCluster;
  const outcomes = new Map<string, Outcome | Error>();

  before(async () => {
    controlled = await startControllers(['*']);
    const { cluster } = controlled;
    const { client, clock } = cluster;
    await makeNode(client, clock);
    const rounds = new Rounds(cluster, SCENARIOS.length);
    const walks = SCENARIOS.map(async (scenario, index) => {
      const patienceMs = 300 * SECOND;
      const pass = (): Promise<void> => rounds.wait();
      try {
        const surroundings = { client, clock, pass, patienceMs, quietMs: 2 * SECOND };
        outcomes.set(scenario.name, await walk(scenario, `walk-${index}`, surroundings));
      } catch (error) {
        outcomes.set(scenario.name, error as Error); // walk throws nothing else
      } finally {
        rounds.leave();
      }
    });
    await Promise.all(walks);
  });
  after(() => controlled[Symbol.asyncDispose]());

  for (const { name } of SCENARIOS)
    it(name, () => {
      const outcome = outcomes.get(name);
      if (outcome instanceof Error) throw outcome;
      assert.ok((outcome ?? []).length > 0, 'it leaves something to see');
    });
});
