// The whole in one process, on the machine's clock: daemons run on every node, and are updated there.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';

it('a daemon set runs on every node of a cluster, and is rolled out there', { timeout: 60_000 }, async () => {
  await using cluster = await startCluster({ controllers: ['*'], nodes: 3 });
  const client = createClient({ transport: cluster.transport() });
  const sets = client.resource(DaemonSet).namespace('default');
  const template = (image: string) => ({
    metadata: { labels: { app: 'agent' } },
    spec: { containers: [{ name: 'main', image }] },
  });
  const rolledOut = async (): Promise<void> => {
    const list = await sets.list();
    const isOver = ({ metadata, status }: DaemonSet): boolean =>
      status?.observedGeneration === metadata?.generation &&
      status?.updatedNumberScheduled === 3 &&
      status.numberAvailable === 3;
    if (list.items.some(isOver)) return;
    const { resourceVersion = '' } = list.metadata;
    for await (const { type, object } of sets.watch({ resourceVersion }))
      if (type !== 'BOOKMARK' && isOver(object)) return;
  };
  const where = async (): Promise<string[]> => {
    const { items } = await client.resource(Pod).namespace('default').list({ labelSelector: 'app=agent' });
    return items
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ spec, status }) => `${spec?.nodeName} ${spec?.containers[0]?.image} ${status?.phase}`)
      .toSorted();
  };
  await sets.create({
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent:1') },
  });
  await rolledOut();
  const on = (image: string): string[] => [1, 2, 3].map((at) => `node-${at} ${image} Running`);
  assert.deepEqual(await where(), on('agent:1'));
  await sets.patch('agent', {
    spec: {
      template: template('agent:2'),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
  });
  await rolledOut();
  assert.deepEqual(await where(), on('agent:2'));
  await client.close();
});
