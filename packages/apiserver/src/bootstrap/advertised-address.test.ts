import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advertisedAddress } from './advertised-address.ts';

const at = (address: string, internal = false) => ({ address, internal });
const MACHINE = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  eth0: [at('fe80::1'), at('2001:db8::7'), at('169.254.3.4'), at('192.0.2.7')],
  eth1: [at('192.0.2.8')],
};

describe('the address that a server tells others', () => {
  const rows: [
    host: string,
    interfaces: Record<string, { address: string; internal: boolean }[]>,
    expected?: string,
  ][] = [
    ['192.0.2.9', MACHINE, '192.0.2.9'],
    ['2001:db8::9', MACHINE, '2001:db8::9'],
    ['127.0.0.1', MACHINE, '192.0.2.7'],
    ['0.0.0.0', MACHINE, '192.0.2.7'],
    ['::', MACHINE, '192.0.2.7'],
    ['localhost', MACHINE, '192.0.2.7'],
    ['127.0.0.1', { eth0: [at('fe80::1'), at('2001:db8::7')] }, '2001:db8::7'],
    ['127.0.0.1', { lo: MACHINE.lo }],
    ['127.0.0.1', {}],
  ];
  for (const [host, interfaces, expected] of rows)
    it(`${host} of ${Object.keys(interfaces).join(', ') || 'nothing'}: ${expected}`, () =>
      assert.equal(advertisedAddress(host, interfaces), expected));
});
