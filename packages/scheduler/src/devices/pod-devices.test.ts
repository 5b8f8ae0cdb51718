import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { served } from '@windlass/apimachinery/testing';
import { podInfo } from '../cache/pod-info.ts';
import { type DeviceView, NO_DEVICES } from '../framework/device-view.ts';
import { testNode } from '../testing.ts';
import { requestOf, testClass, testSlice } from './device-testing.ts';
import { devicesFor, resourceClaimsFor } from './pod-devices.ts';

const claimOf = (more: Partial<ResourceClaim> & { metadata?: ResourceClaim['metadata'] } = {}) =>
  served(ResourceClaim, {
    spec: { devices: { requests: [requestOf('r')] } },
    ...more,
    metadata: { name: 'mine', ...more.metadata },
  });
const viewOf = (view: Partial<DeviceView>): DeviceView => ({
  ...NO_DEVICES,
  deviceClass: (name) => (name === 'any' ? testClass('any') : undefined),
  ...view,
});
const podOf = (
  entry: { resourceClaimName: string } | { resourceClaimTemplateName: string },
  status: Pod['status'] = {},
) =>
  podInfo(
    served(Pod, {
      metadata: { name: 'pod' },
      spec: { containers: [], resourceClaims: [{ name: 'gpu', ...entry }] },
      status,
    }),
  );
const NAMED = podOf({ resourceClaimName: 'mine' });
const MADE = { resourceClaimTemplateName: 't' };
const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'pod', controller: true };

describe('the claims of a pod', () => {
  const rows: readonly (readonly [
    what: string,
    ReturnType<typeof podOf>,
    Partial<DeviceView>,
    string | number,
  ])[] = [
    ['are there', NAMED, { claim: () => claimOf() }, 1],
    ['are not made yet', podOf(MADE), {}, 'pod "default/pod": ResourceClaim not created yet'],
    ['are not needed', podOf(MADE, { resourceClaimStatuses: [{ name: 'gpu' }] }), {}, 0],
    ['are missing', NAMED, {}, 'resourceclaim "mine" not found'],
    [
      'are going',
      NAMED,
      { claim: () => claimOf({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }) },
      'resourceclaim "mine" is being deleted',
    ],
    [
      'were made for it',
      podOf(MADE, { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'mine' }] }),
      { claim: () => claimOf({ metadata: { ownerReferences: [{ ...OWNER, uid: 'uid-of-pod' }] } }) },
      1,
    ],
    [
      'were made for another',
      podOf(MADE, { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'mine' }] }),
      { claim: () => claimOf({ metadata: { ownerReferences: [{ ...OWNER, uid: 'x' }] } }) },
      'ResourceClaim default/mine was not created for pod default/pod (pod is not owner)',
    ],
    [
      'are about to be had by another',
      NAMED,
      { claim: () => claimOf(), isBeingAllocated: () => true },
      'resource claim default/mine is in the process of being allocated',
    ],
    [
      'are of a class that is not there',
      NAMED,
      { claim: () => claimOf(), deviceClass: () => undefined },
      'request r: device class any does not exist',
    ],
    [
      'need no class any more when they have devices',
      NAMED,
      { claim: () => claimOf({ status: { allocation: {} } }), deviceClass: () => undefined },
      1,
    ],
  ];
  for (const [what, pod, view, expected] of rows)
    it(what, () => {
      const claims = resourceClaimsFor(pod, viewOf(view));
      assert.deepEqual(typeof claims === 'string' ? claims : claims.length, expected);
    });
});

describe('on a node', () => {
  const NODE = testNode('n1');
  const NOTHING = NO_DEVICES.allocated();
  const on = (name: string): ResourceClaim['status'] => ({
    allocation: {
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
      },
    },
  });
  const slice = testSlice('p', ['a']);
  const view = viewOf({ slicesFor: () => [slice], slicesOfPool: () => [slice] });

  it('claims get devices', () => {
    const found = devicesFor([claimOf()], NODE, view, NOTHING);
    assert.ok(typeof found !== 'string');
    assert.deepEqual(
      found.claims.map(({ chosen }) => chosen.map(({ candidate }) => candidate.device.name)),
      [['a']],
    );
  });

  for (const [what, status, expected] of [
    ['claims that have devices there need none', on('n1'), { claims: [] }],
    [
      'claims that have devices elsewhere are not to be had',
      on('n2'),
      'resourceclaim not available on the node',
    ],
    ['claims with devices everywhere need none', { allocation: {} }, { claims: [] }],
  ] as const)
    it(what, () => {
      const claim = claimOf(status === undefined ? {} : { status });
      assert.deepEqual(devicesFor([claim], NODE, view, NOTHING), expected);
    });

  it('there may be too few', () => {
    const found = devicesFor([claimOf(), claimOf({ metadata: { name: 'b' } })], NODE, view, NOTHING);
    assert.equal(found, 'cannot allocate all claims');
  });
});
