import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createClient } from '@windlass/client';
import { Faults, startTestCluster } from '@windlass/cluster/testing';
import { CREATED_BY, DirectPVNode, LABELS, resourceDefinitions, VERSION } from '../../resources/index.ts';
import { uninstallDriver } from './uninstall.ts';

it('everything is forgotten, although somebody wrote to it meanwhile', async () => {
  await using cluster = await startTestCluster({ definitions: resourceDefinitions });
  const faults = new Faults(cluster.transport());
  const client = createClient({ transport: faults });
  const nodes = client.resource(DirectPVNode);
  await nodes.create({
    metadata: {
      name: 'n1',
      finalizers: ['example.com/keep'],
      labels: { [LABELS.node]: 'n1', [LABELS.version]: VERSION, [LABELS.createdBy]: CREATED_BY.node },
    },
    spec: {},
    status: { devices: [] },
  });
  faults.conflict({ method: 'PATCH', path: /\/directpvnodes\/n1$/ });
  const gone = await uninstallDriver(client, { forget: true });
  assert.ok(gone.some(({ metadata }) => metadata?.name === 'directpvnodes.directpv.min.io'));
  const left = await cluster.client
    .resource(DirectPVNode)
    .list()
    .catch(() => ({ items: [] }));
  assert.deepEqual(left.items, []);
  await client.close();
});
