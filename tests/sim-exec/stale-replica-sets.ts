// A ReplicaSet controller that does not see its own pods, as in kubernetes/kubernetes#129795.
import { ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { defineSimulation, type JournalEntry, type Simulation } from '@windlass/simulation';

const REPLICAS = 3;
const labels = { app: 'web' };
const MINUTE = 60_000;

/**
 * The watch of pods is held as soon as the ReplicaSet is there. The controller creates its pods and waits to see them.
 * Later somebody touches the ReplicaSet, so that it is looked at again while the watch is still held.
 * @param waitMs until then; after five minutes controllers of Kubernetes no longer wait for what they expect
 */
export function staleReplicaSets(waitMs: number): Simulation {
  return defineSimulation('stale replica sets', {
    // They are those of the program.
    controllers: [],
    endState: false,
    plan: [
      {
        kind: 'watch',
        process: 'exec',
        effect: 'hold',
        resource: 'pods',
        when: { by: 'user', write: 1 },
        forMs: waitMs + 30_000,
      },
    ],
    workload: async ({ client, pass, until }) => {
      const sets = client.resource(ReplicaSet).namespace('default');
      const pods = client.resource(Pod).namespace('default');
      await sets.create({
        metadata: { name: 'web', labels },
        spec: {
          replicas: REPLICAS,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
        },
      });
      await until('the pods are created', async () => (await pods.list()).items.length >= REPLICAS);
      await pass(waitMs);
      await sets.patch('web', { metadata: { annotations: { touched: 'yes' } } });
      await pass(20_000);
    },
    invariants: {
      'there are never more pods than replicas': (state) => {
        const { most, last } = liveCounts(state.journal);
        if (most <= REPLICAS) return undefined;
        return `there were ${most} pods for ${REPLICAS} replicas, and in the end ${last}`;
      },
    },
  });
}

/** How many pods there were at most, and are, without those on their way out. */
function liveCounts(journal: readonly JournalEntry[]): { readonly most: number; readonly last: number } {
  const live = new Set<string>();
  let most = 0;
  for (const { verb, key, object } of journal) {
    if (!key.startsWith('//pods/')) continue;
    if (verb === 'delete' || object.metadata?.deletionTimestamp !== undefined) live.delete(key);
    else live.add(key);
    most = Math.max(most, live.size);
  }
  return { most, last: live.size };
}

export default staleReplicaSets(5 * MINUTE + 10_000);
