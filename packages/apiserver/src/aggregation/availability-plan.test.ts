import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { RemoteApiService } from './api-services.ts';
import { PASSED, planAvailability, withAvailability } from './availability-plan.ts';

const REMOTE: RemoteApiService = {
  name: 'v1.example.com',
  group: 'example.com',
  version: 'v1',
  service: { namespace: 'wardle', name: 'api', port: 443 },
  ca: undefined,
  isVerified: true,
  isAvailable: false,
};

function service(type: string, port = 443): Service {
  return { metadata: {}, spec: { type, ports: [{ name: 'https', port }] } };
}

function slice(ready: boolean | undefined, portName = 'https'): EndpointSlice {
  return {
    metadata: {},
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'], conditions: { ...(ready !== undefined && { ready }) } }],
    ports: [{ name: portName, port: 8443 }],
  };
}

const rows: readonly [string, Service | undefined, readonly EndpointSlice[], string | undefined, string?][] =
  [
    ['no service', undefined, [], 'ServiceNotFound', 'service/api in "wardle" is not present'],
    ['a name elsewhere', service('ExternalName'), [], undefined],
    ['a node port', service('NodePort', 80), [], undefined],
    [
      'another port',
      service('ClusterIP', 80),
      [slice(true)],
      'ServicePortError',
      'service/api in "wardle" is not listening on port 443',
    ],
    [
      'no slices',
      service('ClusterIP'),
      [],
      'EndpointsNotFound',
      'cannot find endpointslices for service/api in "wardle"',
    ],
    [
      'nothing ready',
      service('ClusterIP'),
      [slice(false)],
      'MissingEndpoints',
      'endpointslices for service/api in "wardle" have no addresses with port name "https"',
    ],
    ['ready on another port', service('ClusterIP'), [slice(true, 'metrics')], 'MissingEndpoints'],
    ['ready', service('ClusterIP'), [slice(false), slice(true)], undefined],
    ['not said whether ready', service('ClusterIP'), [slice(undefined)], undefined],
  ];

for (const [name, found, slices, reason, message] of rows)
  test(`availability: ${name}: ${reason ?? 'ask the server'}`, () => {
    const availability = planAvailability(REMOTE, found, slices);
    assert.equal(availability?.reason, reason);
    if (message !== undefined) assert.equal(availability?.message, message);
  });

test('the condition changes its time only with its status, and other conditions stay', () => {
  const other = { type: 'Checked', status: 'True' };
  const failed = {
    type: 'Available',
    status: 'False',
    reason: 'A',
    message: 'a',
    lastTransitionTime: 'then',
  };
  const again = { status: 'False' as const, reason: 'B', message: 'b' };
  assert.deepEqual(withAvailability([failed, other], again, 'now'), [
    { ...again, type: 'Available', lastTransitionTime: 'then' },
    other,
  ]);
  assert.deepEqual(withAvailability([other], PASSED, 'now'), [
    other,
    { ...PASSED, type: 'Available', lastTransitionTime: 'now' },
  ]);
  assert.equal(withAvailability([{ ...PASSED, type: 'Available' }], PASSED, 'now'), undefined);
});
