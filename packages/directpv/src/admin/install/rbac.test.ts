// The driver's two processes as the accounts that are installed for them: nothing that they do is forbidden, and
// nothing that they may is never done.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { UserInfo } from '@windlass/apiserver';
import { createClient } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { startTestCluster } from '@windlass/cluster/testing';
import { addDirectPVController } from '../../controller-service/add-directpv-controller.ts';
import { DirectPVDrive } from '../../resources/drive.ts';
import { DirectPVSnapshot } from '../../resources/snapshot.ts';
import { CONTROLLER, granted, live, NODE, VOLUME_CONTROLLERS, Watched } from '../../testing/access.ts';
import { buildDrive, buildSnapshot } from '../../testing/builders.ts';
import { installDriver } from './install.ts';

const account = (name: string): UserInfo => ({
  name: `system:serviceaccount:directpv:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:directpv', 'system:authenticated'],
});

describe('accounts', () => {
  it('may all that the processes do, and no more', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wda-'));
    await using cluster = await startCluster({ controllers: VOLUME_CONTROLLERS });
    const [controller, node] = [new Watched(), new Watched()];
    await using client = createClient({ transport: cluster.transport() });
    await installDriver(client);
    await live({
      client,
      directory,
      controller: controller.through(cluster.transport(account(CONTROLLER))),
      node: node.through(cluster.transport(account(NODE))),
    });
    await loseNode(controller);
    await rm(directory, { recursive: true, force: true });
    assert.deepEqual(controller.forbidden, []);
    assert.deepEqual(node.forbidden, []);

    // A get is the answer to a cache that is late, or to a conflict; who may list may get all the same.
    const unused = (watched: Watched, name: string): string[] =>
      [...granted(name)].filter((permission) => {
        const used = watched.used();
        const isGet = permission.endsWith(' get');
        return !used.has(permission) && !(isGet && used.has(permission.replace(/get$/, 'list')));
      });
    // Events are patched when they come again within minutes; the node's labels are read where flags ask for them.
    const rare = new Set(['events.k8s.io/events patch', '/nodes get']);
    for (const [watched, name] of [
      [controller, CONTROLLER],
      [node, NODE],
    ] as const)
      assert.deepEqual(
        unused(watched, name).filter((permission) => !rare.has(permission)),
        [],
        name,
      );
  });
});

/** A node that goes for good, by a clock that can be moved. */
async function loseNode(watched: Watched): Promise<void> {
  await using cluster = await startTestCluster();
  await installDriver(cluster.client);
  await cluster.client.resource(Node).create({ metadata: { name: 'here' } });
  await cluster.client
    .resource(DirectPVDrive)
    .create(buildDrive({ fsuuid: 'a', node: 'gone', volumes: { 'one.snapshot': 2 ** 20 } }));
  const snapshots = cluster.client.resource(DirectPVSnapshot);
  await snapshots.create(buildSnapshot({ name: 'one.snapshot', fsuuid: 'a', node: 'gone' }));
  await snapshots.delete('one.snapshot');
  const { manager } = cluster.manager({ user: account(CONTROLLER), through: watched.through });
  addDirectPVController(manager, { nodeGoneAfterMs: 60_000, forgetLostDrivesAfterMs: 60_000 });
  await manager.start();
  const drives = cluster.client.resource(DirectPVDrive);
  for (let minutes = 0; minutes < 6; minutes++) {
    await cluster.settled();
    await cluster.clock.advance(60_000);
  }
  await cluster.settled();
  await assert.rejects(snapshots.get('one.snapshot'), isNotFound);
  await assert.rejects(drives.get('a'), isNotFound);
}
