import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { NodeInfo } from './node-info.ts';
import { type PodInfo, podInfo } from './pod-info.ts';

function pod(uid: string, cpu: string): PodInfo {
  return podInfo(
    served(Pod, {
      metadata: { name: uid, uid },
      spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    }),
  );
}

describe('the sums of a node', () => {
  it('are what they were when a pod has gone again, however much it asked for', () => {
    const node = new NodeInfo('node', undefined, [pod('small', '250m')]);
    for (const cpu of ['1', '1e15', '9E', '1e400', '1e1000000000']) {
      node.add(pod('large', cpu));
      node.add(pod('other', '3m'));
      node.remove('large');
      assert.equal(node.requested.get('cpu'), 253, cpu);
      node.remove('other');
      assert.equal(node.requested.get('cpu'), 250, cpu);
      assert.equal(node.assumed.get('cpu'), 250, cpu);
    }
    node.remove('small');
    assert.equal(node.requested.get('cpu'), 0);
  });
});
