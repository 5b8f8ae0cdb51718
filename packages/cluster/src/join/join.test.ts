// What machines that want to join may do, and what they may not.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isForbidden, NODE_TOKEN_GROUP } from '@windlass/apimachinery';
import { ConfigMap, Node, Secret } from '@windlass/apimachinery/api/core/v1';
import { ClusterRoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import { createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '../start-cluster.ts';

const ANONYMOUS = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const JOINING = {
  name: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', NODE_TOKEN_GROUP, 'system:authenticated'],
};

let folder: string | undefined;
after(() => folder && rm(folder, { recursive: true, force: true }));

const start = async (more: Parameters<typeof startCluster>[0] = {}): Promise<RunningCluster> => {
  folder ??= await mkdtemp(join(tmpdir(), 'windlass-nodes-'));
  return startCluster({ dataDir: join(folder, 'data'), port: 0, acceptsNodes: true, ...more });
};

const clientOf = (cluster: RunningCluster, user?: typeof JOINING) =>
  createClient({ transport: cluster.transport(user) });

describe('a cluster that accepts nodes', () => {
  it('tells everybody where it is, and nothing else', async () => {
    await using cluster = await start();
    const anonymous = clientOf(cluster, ANONYMOUS);
    const maps = anonymous.resource(ConfigMap);
    const { data } = await maps.namespace('kube-public').get('cluster-info');
    const { clusters } = JSON.parse(data?.['kubeconfig'] ?? '') as {
      clusters: { cluster: { server: string } }[];
    }; // our own
    assert.equal(clusters[0]?.cluster.server, cluster.server);
    await assert.rejects(maps.namespace('kube-public').list(), isForbidden);
    await assert.rejects(maps.namespace('kube-system').get('kubelet-config'), isForbidden);
    await assert.rejects(anonymous.resource(Secret).namespace('kube-system').list(), isForbidden);
  });

  it('tells who has a token how kubelets are configured, and no secret', async () => {
    await using cluster = await start();
    const joining = clientOf(cluster, JOINING);
    const maps = joining.resource(ConfigMap).namespace('kube-system');
    assert.match((await maps.get('kubelet-config')).data?.['kubelet'] ?? '', /"serverTLSBootstrap": true/);
    assert.match((await maps.get('kubeadm-config')).data?.['ClusterConfiguration'] ?? '', /kubeadm\.k8s\.io/);
    await assert.rejects(joining.resource(Secret).namespace('kube-system').list(), isForbidden);
    await assert.rejects(joining.resource(Node).list(), isForbidden);
    await assert.rejects(joining.resource(Node).create({ metadata: { name: 'x' } }), isForbidden);
  });

  it('says at each start where it is now, and leaves what others added', async () => {
    {
      await using cluster = await start();
      const client = clientOf(cluster);
      const added = { data: { 'jws-kubeconfig-abcdef': 'signature' } };
      await client.resource(ConfigMap).namespace('kube-public').patch('cluster-info', added);
      await client.resource(ClusterRoleBinding).delete('kubeadm:kubelet-bootstrap');
    }
    await using cluster = await start({ advertiseAddress: '127.0.0.9' });
    const client = clientOf(cluster);
    const { data } = await client.resource(ConfigMap).namespace('kube-public').get('cluster-info');
    assert.match(data?.['kubeconfig'] ?? '', /"server": "https:\/\/127\.0\.0\.9:\d+"/);
    assert.equal(data?.['jws-kubeconfig-abcdef'], 'signature');
    assert.ok(await client.resource(ClusterRoleBinding).get('kubeadm:kubelet-bootstrap'));
  });
});
