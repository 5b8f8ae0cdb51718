// One replica of a controller with leader election, for tests that kill, freeze and cut it off. It marks
// tasks as done, and writes a tick into the journal all the time that it believes to lead.
//
// Usage: node leader-program.ts KUBECONFIG NAMESPACE IDENTITY
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { isCancelled } from '@windlass/base';
import { loadConfig } from '@windlass/client';
import { Manager } from '@windlass/runtime';

const [path = '', namespace = '', identity = ''] = process.argv.slice(2);
const TICK_MS = 20;
const say = (event: string): void => void process.stdout.write(`${JSON.stringify({ event, identity })}\n`);

const manager = new Manager({
  config: await loadConfig({ path }),
  identity,
  namespaces: [namespace],
  gracefulStopMs: 2000,
  leaderElection: {
    name: 'chaos',
    namespace,
    leaseDurationMs: 3000,
    renewDeadlineMs: 2000,
    retryPeriodMs: 400,
  },
});
const maps = manager.objects(ConfigMap);

manager
  .controller('tasks')
  .for(ConfigMap, { labelSelector: 'role=task' })
  .reconcile(async (key, { signal }) => {
    const task = await maps.find(key, { signal });
    if (task === undefined || task.data?.['done'] !== undefined) return;
    await maps.patch(key, { data: { done: identity } }, { signal });
  });
await manager.add(
  {
    name: 'ticks',
    async run({ signal }) {
      for (let tick = 0; !signal.aborted; tick++) {
        const entry = {
          metadata: { name: `tick-${identity}-${tick}`, namespace, labels: { role: 'tick', by: identity } },
          // When it was decided to act.
          data: { at: String(Date.now()) },
        };
        await maps.create(entry, { signal }).catch((error: unknown) => {
          // Cut off or no longer the leader: the manager decides what that means.
          if (!isCancelled(error))
            say(`tick failed: ${error instanceof Error ? error.message : String(error)}`);
        });
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      }
    },
  },
  'leader',
);

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
void manager.elected.then(() => say('leading'));
try {
  say('started');
  await manager.run(stop.signal);
  say('stopped');
} catch (error) {
  say(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
