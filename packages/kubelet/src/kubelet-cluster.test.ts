// The whole in one process, on the machine's clock: a pod that somebody creates runs on a node.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';

describe('a cluster with nodes', () => {
  it('runs a pod', async () => {
    await using cluster = await startCluster({ nodes: 3 });
    const client = createClient({ transport: cluster.transport() });
    const nodes = await client.resource(Node).list();
    assert.deepEqual(
      nodes.items.map(({ metadata }) => metadata.name),
      ['node-1', 'node-2', 'node-3'],
    );
    const pods = client.resource(Pod).namespace('default');
    // From before it is created: a watch that begins later may miss a phase.
    const { resourceVersion = '' } = (await pods.list()).metadata;
    const watch = pods.watch({ fieldSelector: 'metadata.name=web', resourceVersion });
    await pods.create({
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    });
    const phases: string[] = [];
    for await (const { type, object } of watch) {
      if (type === 'BOOKMARK') continue;
      const { phase = '' } = object.status ?? {};
      if (phases.at(-1) !== phase) phases.push(phase);
      if (phase === 'Running') break;
    }
    assert.deepEqual(phases, ['Pending', 'Running']);
    await client.close();
  });
});
