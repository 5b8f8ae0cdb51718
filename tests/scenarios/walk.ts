// Walks through a scenario in a namespace of its own, and notes what came of it.
import { keyOf } from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { Client } from '@windlass/client';
import { History } from './history.ts';
import { NodeStandIn } from './node-stand-in.ts';
import { KINDS, type Outcome, outcomeOf } from './outcome.ts';
import type { Scenario, World } from './scenario.ts';

export interface Surroundings {
  readonly client: Client;
  readonly clock: Clock;
  /** Lets controllers work and some time pass. */
  readonly pass: (didMove: boolean) => Promise<void>;
  /** For so long may one step of a scenario take, by the clock. */
  readonly patienceMs: number;
  /** So long nothing must change before it counts as rest. */
  readonly quietMs: number;
}

export async function walk(
  { name, run }: Scenario,
  namespace: string,
  { client, clock, pass, patienceMs, quietMs }: Surroundings,
): Promise<Outcome> {
  await client.resource(Namespace).create({ metadata: { name: namespace } });
  await using history = await History.follow(client, namespace);
  const standIn = new NodeStandIn({ client, namespace, clock });
  const until: World['until'] = async (what, look) => {
    const deadline = clock.monotonic() + patienceMs;
    for (;;) {
      const didMove = await standIn.step();
      const seen = await look();
      if (seen === true) return;
      if (clock.monotonic() > deadline)
        throw new Error(
          `"${name}" waits in vain until ${what}; last seen: ${JSON.stringify(seen, undefined, 1)}`,
        );
      await pass(didMove);
    }
  };
  const rest = async (): Promise<void> => {
    let last = '';
    let since = clock.monotonic();
    await until('nothing changes', async () => {
      const now = await versions(client, namespace);
      if (now !== last) since = clock.monotonic();
      last = now;
      return clock.monotonic() - since >= quietMs;
    });
  };
  await run({
    client,
    namespace,
    until,
    rest,
    makeNode: (suffix, labels) => standIn.makeNode(suffix, labels),
    podsDo: (behaviour) => (standIn.behaviour = behaviour),
  });
  await rest();
  return outcomeOf(client, namespace, history);
}

async function versions(client: Client, namespace: string): Promise<string> {
  const lists = await Promise.all(KINDS.map((type) => client.resource(type).namespace(namespace).list()));
  return lists
    .flatMap(({ items }) =>
      items.map((one) => `${keyOf(one)} ${one.metadata.uid} ${one.metadata.resourceVersion}`),
    )
    .join();
}
