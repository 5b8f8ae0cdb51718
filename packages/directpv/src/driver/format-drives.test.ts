import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { DRIVER_NAME } from '../resources/constants.ts';
import { NODE, NodeTest } from '../testing/node-test.ts';
import { formatDrives } from './format-drives.ts';

async function startNode(): Promise<NodeTest> {
  const node = await NodeTest.start([]);
  const drivers = [{ name: DRIVER_NAME, nodeID: NODE }];
  await node.cluster.client.resource(CSINode).create({ metadata: { name: NODE }, spec: { drivers } });
  return node;
}

async function format(node: NodeTest): Promise<readonly string[]> {
  const { client, clock, random } = node.cluster;
  const formatting = formatDrives(client, { clock, random, signal: new AbortController().signal });
  await node.inTime(formatting);
  return formatting;
}

const drivesOf = async ({ drives }: NodeTest): Promise<number> => (await drives.list()).items.length;

test('every free device becomes a drive, and one that is a drive is left as it is', async () => {
  await using node = await startNode();
  for (const name of ['sdb', 'sdc']) node.os.plug(name);
  assert.deepEqual(await format(node), []);
  assert.deepEqual(await format(node), []);
  assert.equal(await drivesOf(node), 2);
});

test('a device that is busy for a moment is formatted all the same', async () => {
  await using node = await startNode();
  for (const name of ['sdb', 'sdc']) node.os.plug(name);
  node.os.fail({ operation: 'mount', code: 'EBUSY', matching: 'sdb' });
  node.os.disk('sdc').problem = 'it does not answer';
  const gate = node.os.hold('examine');
  const formatting = format(node);
  // One is about to be formatted: the other was refused by now.
  await gate.entered;
  node.os.disk('sdc').problem = undefined;
  gate.open();
  assert.deepEqual(await formatting, []);
  assert.equal(await drivesOf(node), 2);
});

test('what cannot be formatted is said, with the reason', async () => {
  await using node = await startNode();
  node.os.plug('sdb');
  node.os.plug('sdc', { readOnly: true });
  node.os.plug('sdd');
  node.os.disk('sdd').problem = 'it does not answer';
  node.os.fail({ operation: 'format', code: 'EIO', times: 1000 });
  const problems = await format(node);
  assert.equal(problems.length, 3);
  assert.match(problems.join('\n'), /^drive sdc of node-1 is not usable: Read only$/m);
  assert.match(
    problems.join('\n'),
    /^drive sdd of node-1 is not usable: internal error; it does not answer$/m,
  );
  assert.match(problems.join('\n'), /^drive sdb of node-1 is not usable: .*injected into format sdb/m);
  assert.equal(await drivesOf(node), 0);
});
