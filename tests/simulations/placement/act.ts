// What people do with pods of different sizes, and with nodes.
import { isAlreadyExists, isConflict, isNotFound, StatusError } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { User } from '@windlass/simulation';

export const NODES = ['n0', 'n1', 'n2'];
/** What one node carries. */
export const CPUS = 4;
const PODS = 10;

/** What may rightly come of a request in the middle of all this. */
const EXPECTED = [isAlreadyExists, isConflict, isNotFound];

const ACTS: readonly ((user: User) => Promise<unknown>)[] = [
  makePod,
  makePod,
  makePod,
  makePod,
  makePod,
  makePod,
  deletePod,
  deletePod,
  cordon,
  wait,
  wait,
];

/** One thing, as the user's chance has it. What a server may rightly refuse is no failure. */
export async function act(user: User): Promise<void> {
  const what = ACTS[user.random.int(ACTS.length)];
  try {
    await what?.(user);
  } catch (error) {
    if (!(error instanceof StatusError) || !EXPECTED.some((is) => is(error))) throw error;
  }
}

function makePod({ client, random }: User): Promise<unknown> {
  const name = `p${random.int(PODS)}`;
  const cpu = `${1 + random.int(CPUS)}`;
  return client
    .resource(Pod)
    .namespace('default')
    .create({
      metadata: { name },
      spec: {
        terminationGracePeriodSeconds: 2,
        containers: [{ name: 'main', image: 'i', resources: { requests: { cpu } } }],
      },
    });
}

function deletePod({ client, random }: User): Promise<unknown> {
  return client
    .resource(Pod)
    .namespace('default')
    .delete(`p${random.int(PODS)}`);
}

function cordon({ client, random }: User): Promise<unknown> {
  const name = NODES[random.int(NODES.length)] ?? '';
  return client.resource(Node).patch(name, { spec: { unschedulable: random.int(2) === 0 } });
}

function wait(user: User): Promise<void> {
  return user.pass(user.random.int(15_000));
}
