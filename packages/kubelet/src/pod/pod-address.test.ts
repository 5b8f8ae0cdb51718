import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PodAddresses } from '../node/pod-addresses.ts';
import { PodAddress } from './pod-address.ts';
import { testPod } from './testing.ts';

const HOST = '192.168.0.1';
const ONLY = '10.0.0.2';
const NONE_FREE = { code: 'NO_ADDRESS' };
/** A range with one address for pods. */
const range = (): PodAddresses => new PodAddresses('10.0.0.0/30');

describe('the address of a pod', () => {
  it("is one of the node's range, which no other pod gets", () => {
    const shared = range();
    assert.equal(new PodAddress(shared, HOST).allocate(testPod()), ONLY);
    assert.throws(() => new PodAddress(shared, HOST).allocate(testPod()), NONE_FREE);
  });

  it("is the node's own for a pod in its network, and where the node has no range", () => {
    assert.equal(new PodAddress(range(), HOST).allocate(testPod({ hostNetwork: true })), HOST);
    assert.equal(new PodAddress(undefined, HOST).allocate(testPod()), HOST);
  });

  it('that it has from an agent before this one stays its own', () => {
    const shared = range();
    const address = new PodAddress(shared, HOST);
    address.adopt({ ...testPod(), status: { podIP: ONLY } });
    assert.throws(() => new PodAddress(shared, HOST).allocate(testPod()), NONE_FREE);
    address.release();
    assert.equal(new PodAddress(shared, HOST).allocate(testPod()), ONLY);
  });

  it('of a pod in the network of the node takes nothing from the range', () => {
    const shared = range();
    new PodAddress(shared, HOST).adopt({ ...testPod({ hostNetwork: true }), status: { podIP: ONLY } });
    assert.equal(new PodAddress(shared, HOST).allocate(testPod()), ONLY);
  });

  it('is released once, and not taken from the pod that has it next', () => {
    const shared = range();
    const [first, next] = [new PodAddress(shared, HOST), new PodAddress(shared, HOST)];
    first.allocate(testPod());
    first.release();
    next.allocate(testPod());
    first.release();
    assert.throws(() => new PodAddress(shared, HOST).allocate(testPod()), NONE_FREE);
  });
});
