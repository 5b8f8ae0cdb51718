import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Cached, CLAIM_PROTECTION_FINALIZER } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { type ClaimPlan, isPodDone, NOTHING, planClaim } from './plan-claim.ts';

const cached = <T extends Pod | ResourceClaim>(object: T): Cached<T> =>
  // What the cache has is what is written here; nothing else of it is looked at.
  object as unknown as Cached<T>;
const podOf = (
  uid: string,
  more: Pod['status'] = {},
  metadata: Pod['metadata'] = {},
  nodeName = '',
): Cached<Pod> =>
  cached<Pod>({
    metadata: { name: 'pod', uid, ...metadata },
    spec: { containers: [], ...(nodeName !== '' && { nodeName }) },
    status: more,
  });
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const RUNNING = podOf('1');
const consumer = { resource: 'pods', name: 'pod', uid: '1' };
const other = { apiGroup: 'example.com', resource: 'things', name: 'a', uid: '2' };
const allocation = { devices: { results: [] } };
const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'pod', uid: '1', controller: true };

const claimOf = (
  status: ResourceClaim['status'],
  metadata: ResourceClaim['metadata'] = {},
): Cached<ResourceClaim> =>
  cached<ResourceClaim>({
    metadata: { name: 'claim', finalizers: [CLAIM_PROTECTION_FINALIZER], ...metadata },
    spec: {},
    ...(status !== undefined && { status }),
  });

describe('a claim', () => {
  const released: ClaimPlan = { reservedFor: [], deallocates: true, removesFinalizer: true, deletes: false };
  const rows: readonly (readonly [
    what: string,
    Cached<ResourceClaim>,
    Cached<Pod> | undefined,
    ClaimPlan,
  ])[] = [
    ['that nobody ever used stays', claimOf({ allocation }), undefined, NOTHING],
    ['that is used stays', claimOf({ allocation, reservedFor: [consumer] }), RUNNING, NOTHING],
    ['whose pod is gone is released', claimOf({ allocation, reservedFor: [consumer] }), undefined, released],
    [
      'whose pod has another in its place is released',
      claimOf({ allocation, reservedFor: [consumer] }),
      podOf('9'),
      released,
    ],
    [
      'whose pod has ended is released',
      claimOf({ allocation, reservedFor: [consumer] }),
      podOf('1', { phase: 'Succeeded' }),
      released,
    ],
    [
      'whose pod is stopping on its node stays',
      claimOf({ allocation, reservedFor: [consumer] }),
      podOf('1', {}, DELETED, 'n1'),
      NOTHING,
    ],
    [
      'that others use too loses only who is done',
      claimOf({ allocation, reservedFor: [consumer, other] }),
      undefined,
      { ...NOTHING, reservedFor: [other] },
    ],
    [
      'that is deleted and unused may go',
      claimOf({ allocation }, DELETED),
      undefined,
      { reservedFor: undefined, deallocates: true, removesFinalizer: true, deletes: false },
    ],
    [
      'that is deleted and was never allocated may go',
      claimOf({}, DELETED),
      undefined,
      { reservedFor: undefined, deallocates: false, removesFinalizer: true, deletes: false },
    ],
    [
      'that is deleted and used stays',
      claimOf({ allocation, reservedFor: [consumer] }, DELETED),
      RUNNING,
      NOTHING,
    ],
    [
      'that somebody else allocated loses only its consumers',
      claimOf({ allocation, reservedFor: [consumer] }, { finalizers: [] }),
      undefined,
      { ...NOTHING, reservedFor: [] },
    ],
    [
      'that was made for a pod goes when the pod is done',
      claimOf({ allocation, reservedFor: [consumer] }, { ownerReferences: [OWNER] }),
      podOf('1', { phase: 'Failed' }),
      { ...released, deletes: true },
    ],
    [
      'that was made for a pod that is not known is left to the garbage collector',
      claimOf({}, { ownerReferences: [OWNER], finalizers: [] }),
      undefined,
      NOTHING,
    ],
    ['that was made for a pod stays with it', claimOf({}, { ownerReferences: [OWNER] }), RUNNING, NOTHING],
    [
      'that was made for a pod of that name before goes',
      claimOf({}, { ownerReferences: [OWNER], finalizers: [] }),
      podOf('9'),
      { ...NOTHING, deletes: true },
    ],
  ];
  for (const [what, claim, pod, plan] of rows)
    it(what, () => {
      const pods = new Map(pod === undefined ? [] : [['pod', pod]]);
      assert.deepEqual(planClaim(claim, pods), plan);
    });
});

describe('a pod is done', () => {
  for (const [when, pod, expected] of [
    ['when it has succeeded', podOf('1', { phase: 'Succeeded' }), true],
    ['when it has failed', podOf('1', { phase: 'Failed' }), true],
    ['when it is deleted and has no node', podOf('1', {}, DELETED), true],
    ['not when it is deleted on a node', podOf('1', {}, DELETED, 'n1'), false],
    ['not when it waits', podOf('1'), false],
  ] as const)
    it(when, () => assert.equal(isPodDone(pod), expected));
});
