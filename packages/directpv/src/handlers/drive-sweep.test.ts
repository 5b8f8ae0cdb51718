import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeTest } from '../testing/node-test.ts';

const HEALTH_MS = 60_000;

for (const operation of ['clearQuota', 'list', 'removeTree'] as const)
  test(`what a lost drive brings back goes, also when \`${operation}\` fails at first`, async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.unstage('pvc-1');
    node.os.unplug('sdb');
    await node.cluster.settled();
    await node.delete('pvc-1');
    node.os.fail({ operation, code: 'EIO', matching: '/mnt/' });
    node.os.plug('sdb');
    await node.cluster.advance(3 * HEALTH_MS);
    const left = [...node.os.disk('sdb').root.children.keys()].filter((name) => !name.startsWith('.'));
    assert.deepEqual(left, []);
    assert.equal(node.os.disk('sdb').limits.size, 0);
    await node.assertConsistent();
  });
