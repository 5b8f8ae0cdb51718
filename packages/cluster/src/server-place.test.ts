import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverPlace, serverUrl } from './server-place.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1', internal: true }],
  eth0: [{ address: '192.0.2.7', internal: false }],
};

describe('where an API server is', () => {
  for (const [what, listens, advertise, host, forNodes, endpoint] of [
    ['on loopback', '127.0.0.1', undefined, '127.0.0.1', '127.0.0.1', undefined],
    ['on one address', '192.0.2.7', undefined, '192.0.2.7', '192.0.2.7', undefined],
    ['everywhere', '0.0.0.0', undefined, '192.0.2.7', '192.0.2.7', undefined],
    ['everywhere, behind an address', '::', '203.0.113.9', '203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['on one address, behind another', '192.0.2.7', '203.0.113.9', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
    ['on loopback, told as such', '127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2', undefined],
  ] as const)
    it(what, () => {
      const place = serverPlace(listens, advertise, interfaces);
      assert.deepEqual([place.host, place.forNodes, place.endpoint], [host, forNodes, endpoint]);
      for (const name of ['localhost', '127.0.0.1', '10.0.0.1', 'kubernetes.default.svc', host, forNodes])
        assert.ok(place.hosts.includes(name), name);
      assert.ok(!place.hosts.includes('0.0.0.0') && !place.hosts.includes('::'));
    });

  it('is a URL, also with an address of six', () => {
    assert.equal(serverUrl('::1', 6443), 'https://[::1]:6443');
    assert.equal(serverUrl('192.0.2.7', 6443), 'https://192.0.2.7:6443');
  });

  it('is loopback on a machine without an address', () =>
    assert.equal(serverPlace('0.0.0.0', undefined, {}).forNodes, '127.0.0.1'));
});
