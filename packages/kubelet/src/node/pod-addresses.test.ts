import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { nodeAddress, PodAddresses, podRange } from './pod-addresses.ts';

describe('addresses of pods', () => {
  it('are those of the range, and come again only after all others', () => {
    const addresses = new PodAddresses('10.1.2.0/29');
    assert.deepEqual([addresses.allocate(), addresses.allocate()], ['10.1.2.2', '10.1.2.3']);
    addresses.release('10.1.2.2');
    assert.deepEqual(
      [addresses.allocate(), addresses.allocate(), addresses.allocate()],
      ['10.1.2.4', '10.1.2.5', '10.1.2.6'],
    );
    assert.equal(addresses.allocate(), '10.1.2.2');
    assert.throws(() => addresses.allocate(), { code: 'NO_ADDRESS' });
    addresses.release('10.1.2.5');
    assert.equal(addresses.allocate(), '10.1.2.5');
  });

  it('are never given twice', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 60 }), (choices) => {
        const addresses = new PodAddresses('10.0.0.0/28');
        const held: string[] = [];
        for (const choice of choices) {
          if (choice < 6 || held.length === 0) {
            if (held.length === 13) continue;
            const next = addresses.allocate();
            assert.ok(!held.includes(next), next);
            held.push(next);
          } else addresses.release(held.splice(choice % held.length, 1)[0] ?? '');
        }
      }),
    ));

  it('of the nodes of a fleet do not meet', () => {
    assert.deepEqual(
      [podRange(0), podRange(255), podRange(256)],
      ['10.128.0.0/24', '10.128.255.0/24', '10.129.0.0/24'],
    );
    assert.deepEqual([nodeAddress(0), nodeAddress(255)], ['172.30.0.1', '172.30.1.0']);
  });
});
