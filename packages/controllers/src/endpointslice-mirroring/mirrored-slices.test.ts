import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, Served } from '@windlass/apimachinery';
import { type EndpointSubset, Endpoints } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { served } from '@windlass/apimachinery/testing';
import { mirrorChanges, type ReadonlyEndpoints } from './mirrored-slices.ts';

const endpoints = (subsets: EndpointSubset[], more: ObjectMeta = {}): ReadonlyEndpoints =>
  served(Endpoints, {
    metadata: { name: 'db', namespace: 'default', uid: 'e1', ...more },
    subsets,
  });
const at = (...ips: readonly string[]) => ips.map((ip) => ({ ip }));
const http = [{ name: 'http', port: 80, protocol: 'TCP' as const }];
const both = [...http, { name: 'https', port: 443, protocol: 'TCP' as const }];

const told = (slices: readonly EndpointSlice[]): unknown =>
  slices.map(({ addressType, ports, endpoints: list, metadata }) => ({
    ...(metadata?.name !== undefined && { name: metadata.name }),
    type: addressType,
    ports: ports?.map(({ port }) => port),
    at: list?.map(
      ({ addresses, conditions }) => `${addresses[0]}${conditions?.ready === true ? '' : ' not ready'}`,
    ),
  }));

/** What a server would have after these changes. */
function applied(
  of: ReadonlyEndpoints,
  existing: readonly Served<EndpointSlice>[] = [],
): Served<EndpointSlice>[] {
  const { create, update, delete: deleted } = mirrorChanges(of, existing);
  const gone = new Set([...deleted, ...update].map(({ metadata }) => metadata?.name));
  return [
    ...existing.filter(({ metadata }) => !gone.has(metadata?.name)),
    ...update.map((slice) => served(EndpointSlice, slice)),
    ...create.map((slice, index) =>
      served(EndpointSlice, {
        ...slice,
        metadata: { ...slice.metadata, name: `db-${existing.length + index}` },
      }),
    ),
  ];
}

describe('mirrored slices', () => {
  it('are one for each set of ports and type of address', () => {
    const of = endpoints([
      { addresses: at('10.0.0.1', 'fd00::1'), notReadyAddresses: at('10.0.0.2'), ports: http },
      { addresses: at('10.0.0.3'), ports: both },
    ]);
    assert.deepEqual(told(mirrorChanges(of, []).create), [
      { type: 'IPv4', ports: [80], at: ['10.0.0.1', '10.0.0.3', '10.0.0.2 not ready'] },
      { type: 'IPv6', ports: [80], at: ['fd00::1'] },
      { type: 'IPv4', ports: [443], at: ['10.0.0.3'] },
    ]);
  });

  it('bring ports of the same addresses together', () => {
    const of = endpoints([
      { addresses: at('10.0.0.1'), ports: http },
      { addresses: at('10.0.0.1'), ports: [{ port: 443, name: 'https' }] },
    ]);
    assert.deepEqual(told(mirrorChanges(of, []).create), [
      { type: 'IPv4', ports: [80, 443], at: ['10.0.0.1'] },
    ]);
  });

  it('have the labels and annotations of what they mirror, and it as owner', () => {
    const of = endpoints([{ addresses: at('10.0.0.1'), ports: http }], {
      labels: { team: 'x' },
      annotations: {
        note: 'kept',
        'endpoints.kubernetes.io/last-change-trigger-time': 'now',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    });
    const [slice] = mirrorChanges(of, []).create;
    assert.deepEqual(slice?.metadata, {
      generateName: 'db-',
      namespace: 'default',
      labels: {
        team: 'x',
        'kubernetes.io/service-name': 'db',
        'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
      },
      annotations: { note: 'kept' },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Endpoints',
          name: 'db',
          uid: 'e1',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
  });

  it('are left alone when they say it all, whatever the order', () => {
    const existing = applied(endpoints([{ addresses: at('10.0.0.1', '10.0.0.2'), ports: http }]));
    const again = mirrorChanges(
      endpoints([{ addresses: at('10.0.0.2', '10.0.0.1'), ports: http }]),
      existing,
    );
    assert.deepEqual([again.create, again.update, again.delete], [[], [], []]);
  });

  it('are written when an address, its state, a label or the owner is another', () => {
    const first = endpoints([{ addresses: at('10.0.0.1'), ports: http }]);
    const existing = applied(first);
    const others: ReadonlyEndpoints[] = [
      endpoints([{ addresses: at('10.0.0.2'), ports: http }]),
      endpoints([{ notReadyAddresses: at('10.0.0.1'), ports: http }]),
      endpoints(first.subsets as EndpointSubset[], { labels: { team: 'y' } }),
      endpoints(first.subsets as EndpointSubset[], { uid: 'e2' }),
    ];
    for (const other of others) {
      const { create, update, delete: deleted } = mirrorChanges(other, existing);
      assert.deepEqual([create.length, update.length, deleted.length], [0, 1, 0]);
      assert.equal(update[0]?.metadata?.name, 'db-0');
    }
  });

  it('are used again for other ports, and go when nothing is left', () => {
    const existing = applied(endpoints([{ addresses: at('10.0.0.1'), ports: http }]));
    const other = mirrorChanges(endpoints([{ addresses: at('10.0.0.1'), ports: both }]), existing);
    assert.deepEqual(told(other.update), [
      { name: 'db-0', type: 'IPv4', ports: [80, 443], at: ['10.0.0.1'] },
    ]);
    assert.deepEqual([other.create, other.delete], [[], []]);
    assert.deepEqual(mirrorChanges(endpoints([]), existing).delete, existing);
  });

  it('leave out what is no address, and what is too much', () => {
    const of = endpoints([{ addresses: at('nowhere', '10.0.0.1', '10.0.0.2', '10.0.0.3'), ports: http }]);
    const { create, invalid, skipped } = mirrorChanges(of, [], 2);
    assert.deepEqual(told(create), [{ type: 'IPv4', ports: [80], at: ['10.0.0.1', '10.0.0.2'] }]);
    assert.deepEqual([invalid, skipped], [1, 2]);
  });
});
