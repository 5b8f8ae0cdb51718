// One replica of an operator that shares its ConfigMaps with others: notes in each who worked on it last.
// node shard-replica.ts KUBECONFIG NAMESPACE IDENTITY
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { loadConfig } from '@windlass/client';
import { addShards, Manager } from '@windlass/runtime';

const [path = '', namespace = '', identity = ''] = process.argv.slice(2);
const manager = new Manager({
  config: await loadConfig({ path, context: 'admin' }),
  identity,
  namespaces: [namespace],
  gracefulStopMs: 2000,
});
addShards(manager, {
  name: 'rounds',
  namespace,
  count: 6,
  kinds: [ConfigMap],
  leaseDurationMs: 3000,
  renewDeadlineMs: 2000,
  retryPeriodMs: 400,
  setUp: (part) => {
    const maps = part.objects(ConfigMap);
    part
      .controller('rounds')
      .for(ConfigMap)
      .reconcile(async (key, { signal }) => {
        const map = await maps.find(key, { signal });
        const { wanted, done } = map?.data ?? {};
        if (wanted === undefined || wanted === done) return;
        await maps.patch(key, { data: { done: wanted, by: identity } }, { signal });
      });
  },
});
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
console.log('ready');
await manager.run(stopping.signal);
