import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { addressesOf } from './address-pool.ts';
import {
  CLEANUP_FINALIZER,
  LOAD_BALANCER_CLASS,
  type LoadBalancerPlan,
  planLoadBalancer,
} from './plan-load-balancer.ts';

interface Parts {
  readonly spec?: Service['spec'];
  readonly ip?: string;
  readonly isFinal?: boolean;
  readonly isDeleted?: boolean;
}

function service({ spec, ip, isFinal = false, isDeleted = false }: Parts): Served<Service> {
  return served(Service, {
    metadata: {
      name: 'web',
      namespace: 'shop',
      ...(isFinal && { finalizers: [CLEANUP_FINALIZER] }),
      ...(isDeleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { type: 'LoadBalancer', ...spec },
    status: { loadBalancer: ip === undefined ? {} : { ingress: [{ ip }] } },
  });
}

const FULL = 'all addresses for load balancers are in use; delete a service that has one';
const rows: readonly [string, Parts, readonly string[], LoadBalancerPlan][] = [
  ['another type', { spec: { type: 'ClusterIP' } }, [], { type: 'none' }],
  ['a new one', {}, [], { type: 'ensure', address: '192.0.2.1', isNew: true }],
  ['a new one, the first is taken', {}, ['192.0.2.1'], { type: 'ensure', address: '192.0.2.2', isNew: true }],
  ['all are taken', {}, ['192.0.2.1', '192.0.2.2'], { type: 'fail', message: FULL }],
  ['one that has all', { ip: '192.0.2.2', isFinal: true }, [], { type: 'none' }],
  ['without the finalizer', { ip: '192.0.2.2' }, [], { type: 'ensure', address: '192.0.2.2', isNew: false }],
  [
    'two have the same address',
    { ip: '192.0.2.1', isFinal: true },
    ['192.0.2.1'],
    { type: 'ensure', address: '192.0.2.2', isNew: true },
  ],
  [
    'an address is asked for',
    { spec: { loadBalancerIP: '203.0.113.9' } },
    [],
    { type: 'ensure', address: '203.0.113.9', isNew: true },
  ],
  [
    'another address is asked for',
    { spec: { loadBalancerIP: '203.0.113.9' }, ip: '192.0.2.1', isFinal: true },
    [],
    { type: 'ensure', address: '203.0.113.9', isNew: true },
  ],
  [
    'the address is in use',
    { spec: { loadBalancerIP: '203.0.113.9' } },
    ['203.0.113.9'],
    { type: 'fail', message: 'the address 203.0.113.9 is in use by another service' },
  ],
  ['the class of another', { spec: { loadBalancerClass: 'example.com/lb' } }, [], { type: 'none' }],
  [
    'our own class',
    { spec: { loadBalancerClass: LOAD_BALANCER_CLASS } },
    [],
    { type: 'ensure', address: '192.0.2.1', isNew: true },
  ],
  [
    'no longer a load balancer',
    { spec: { type: 'NodePort' }, ip: '192.0.2.1', isFinal: true },
    [],
    { type: 'clean' },
  ],
  ['being deleted', { ip: '192.0.2.1', isFinal: true, isDeleted: true }, [], { type: 'clean' }],
  ['being deleted, and held by others', { isDeleted: true }, [], { type: 'none' }],
];

for (const [name, parts, taken, plan] of rows)
  test(`load balancer: ${name}`, () => {
    const isTaken = (address: string): boolean => taken.includes(address);
    assert.deepEqual(planLoadBalancer(service(parts), isTaken, addressesOf('192.0.2.0/30')), plan);
  });

test('the addresses of a block', () => {
  assert.deepEqual([...addressesOf('10.0.0.254/30')], ['10.0.0.253', '10.0.0.254']);
  assert.equal([...addressesOf('192.0.2.0/24')].length, 254);
  for (const wrong of ['192.0.2.0', '192.0.2.0/31', '300.0.0.0/24', '::/64'])
    assert.throws(() => [...addressesOf(wrong)], /loadBalancerCidr/);
});
