import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { changedDrivers, csiNodeDriver, nodePatch } from './csi-node.ts';

const info = (segments?: Record<string, string>, maxVolumesPerNode = 0) => ({
  nodeId: 'id',
  maxVolumesPerNode,
  ...(segments !== undefined && { accessibleTopology: { segments } }),
});
const NODE_ID = 'csi.volume.kubernetes.io/nodeid';

describe('the entry of a driver in a CSINode', () => {
  it('names what the driver knows, in order', () =>
    assert.deepEqual(csiNodeDriver('d', info({ z: '1', a: '2' }, 3)), {
      name: 'd',
      nodeID: 'id',
      topologyKeys: ['a', 'z'],
      allocatable: { count: 3 },
    }));

  it('without a limit has none', () =>
    assert.deepEqual(csiNodeDriver('d', info()), { name: 'd', nodeID: 'id', topologyKeys: [] }));

  it('needs an id', () =>
    assert.throws(() => csiNodeDriver('d', { ...info(), nodeId: '' }), /gave this node no id/));

  it('takes the place of the former one, and leaves others', () => {
    const [a, b] = [
      { name: 'a', nodeID: '1' },
      { name: 'b', nodeID: '2' },
    ];
    assert.deepEqual(changedDrivers([a, b], 'a', { name: 'a', nodeID: '3' }), [
      b,
      { name: 'a', nodeID: '3' },
    ]);
    assert.deepEqual(changedDrivers([a, b], 'a', undefined), [b]);
  });
});

describe('what a driver adds to its node', () => {
  it('is its topology and its id', () =>
    assert.deepEqual(
      nodePatch(served(Node, { metadata: { labels: { old: '1' } } }), 'd', info({ rack: 'r' })),
      {
        metadata: { labels: { rack: 'r' }, annotations: { [NODE_ID]: '{"d":"id"}' } },
      },
    ));

  it('is nothing when it is there', () =>
    assert.equal(
      nodePatch(
        served(Node, { metadata: { labels: { rack: 'r' }, annotations: { [NODE_ID]: '{"d":"id"}' } } }),
        'd',
        info({ rack: 'r' }),
      ),
      undefined,
    ));

  it('goes with it, and that of others stays', () => {
    const node = served(Node, { metadata: { annotations: { [NODE_ID]: '{"d":"id","e":"x"}' } } });
    assert.deepEqual(nodePatch(node, 'd', undefined), {
      metadata: { annotations: { [NODE_ID]: '{"e":"x"}' } },
    });
    const last = served(Node, { metadata: { annotations: { [NODE_ID]: '{"d":"id"}' } } });
    assert.deepEqual(nodePatch(last, 'd', undefined), { metadata: { annotations: { [NODE_ID]: null } } });
  });

  it('never moves the node', () =>
    assert.throws(
      () => nodePatch(served(Node, { metadata: { labels: { rack: 'q' } } }), 'd', info({ rack: 'r' })),
      /collision/,
    ));
});
