import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeepReadonly } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { IPAddress } from '@windlass/apimachinery/api/networking/v1';
import { ALLOCATOR, MANAGED_BY } from '../builtin/core/service/address-objects.ts';
import { type AddressOf, GRACE_MS, planRepair, type Repair } from './plan-repair.ts';

const NOW = Date.parse('2030-01-01T00:10:00Z');
const OLD = new Date(NOW - GRACE_MS).toISOString();
const NEW = new Date(NOW - GRACE_MS + 1).toISOString();

const service = (name: string, clusterIPs: string[], type = 'ClusterIP'): DeepReadonly<Service> => ({
  metadata: { name, namespace: 'default' },
  spec: { type, clusterIPs },
});
const object = (
  address: string,
  name: string,
  creationTimestamp = OLD,
  by = ALLOCATOR,
): DeepReadonly<IPAddress> => ({
  metadata: { name: address, creationTimestamp, labels: { [MANAGED_BY]: by } },
  spec: { parentRef: { resource: 'services', namespace: 'default', name } },
});
const of = (address: string, name: string): AddressOf => ({
  address,
  service: { namespace: 'default', name },
});
const NONE: Repair = { missing: [], leaked: [], foreign: [] };

describe('what is repaired', () => {
  const rows: [
    what: string,
    services: DeepReadonly<Service>[],
    objects: DeepReadonly<IPAddress>[],
    expected: Partial<Repair>,
  ][] = [
    ['nothing, when both say the same', [service('a', ['10.0.0.1'])], [object('10.0.0.1', 'a')], {}],
    [
      'an address without an object',
      [service('a', ['10.0.0.1', 'fd00::1'])],
      [object('10.0.0.1', 'a')],
      { missing: [of('fd00::1', 'a')] },
    ],
    [
      'nothing of services without an address',
      [service('a', ['None']), service('b', []), service('c', ['10.0.0.3'], 'ExternalName')],
      [],
      {},
    ],
    ['an object without a service', [], [object('10.0.0.1', 'a')], { leaked: [of('10.0.0.1', 'a')] }],
    [
      'an object whose service has another address',
      [service('a', ['10.0.0.2'])],
      [object('10.0.0.1', 'a'), object('10.0.0.2', 'a')],
      { leaked: [of('10.0.0.1', 'a')] },
    ],
    ['not what is new: its service may be on its way', [], [object('10.0.0.1', 'a', NEW)], {}],
    ["not what is somebody else's", [], [object('10.0.0.1', 'a', OLD, 'me')], {}],
    [
      "an address that is another service's, which is only told",
      [service('a', ['10.0.0.1']), service('b', ['10.0.0.2'])],
      [object('10.0.0.1', 'b'), object('10.0.0.2', 'b')],
      { leaked: [of('10.0.0.1', 'b')], foreign: [of('10.0.0.1', 'a')] },
    ],
  ];
  for (const [what, services, objects, expected] of rows)
    it(what, () => assert.deepEqual(planRepair(services, objects, NOW), { ...NONE, ...expected }));
});
