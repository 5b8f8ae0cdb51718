import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import { claimStatus } from './claim-status.ts';
import { type ClaimContext, type ClaimDecision, decideClaim } from './decide-claim.ts';
import { decideVolume, reclaim, unbound } from './decide-volume.ts';
import { defaultClassOf } from './storage-classes.ts';

interface ClaimParts {
  readonly volumeName?: string;
  readonly className?: string;
  readonly annotations?: Record<string, string>;
  readonly status?: PersistentVolumeClaim['status'];
}
const claim = ({
  volumeName,
  className,
  annotations = {},
  status,
}: ClaimParts = {}): Served<PersistentVolumeClaim> =>
  served(PersistentVolumeClaim, {
    metadata: { name: 'data', namespace: 'shop', uid: 'u1', annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...(volumeName !== undefined && { volumeName }),
      ...(className !== undefined && { storageClassName: className }),
    },
    ...(status !== undefined && { status }),
  });

interface VolumeParts {
  readonly annotations?: Record<string, string>;
  readonly spec?: PersistentVolume['spec'];
}
const volume = ({ annotations = {}, spec = {} }: VolumeParts = {}): Served<PersistentVolume> =>
  served(PersistentVolume, {
    metadata: { name: 'disk', annotations },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
  });
const ours = (uid?: string) => ({
  claimRef: { namespace: 'shop', name: 'data', ...(uid !== undefined && { uid }) },
});
const theirs = { claimRef: { namespace: 'shop', name: 'other', uid: 'u9' } };

const bound = { 'pv.kubernetes.io/bind-completed': 'yes' };
const chosen = { 'pv.kubernetes.io/bound-by-controller': 'yes' };
const storageClass = (more: Partial<StorageClass> = {}): Served<StorageClass> =>
  served(StorageClass, {
    metadata: { name: 'fast' },
    provisioner: 'example.com/disks',
    volumeBindingMode: 'Immediate',
    ...more,
  });
const waiting = storageClass({ volumeBindingMode: 'WaitForFirstConsumer' });

function said(decision: ClaimDecision): string {
  const event = 'event' in decision && decision.event !== undefined ? ` ${decision.event.reason}` : '';
  return `${decision.kind}${event}`;
}

describe('a claim', () => {
  const rows: readonly [string, ClaimParts, Partial<ClaimContext>, string][] = [
    ['with a match is bound', {}, { match: () => volume() }, 'bind'],
    ['without match and class waits', {}, {}, 'pending FailedBinding'],
    ['that says nothing of its class gets the default', {}, { defaultClass: storageClass() }, 'assign-class'],
    [
      'that wants no class keeps it',
      { className: '' },
      { defaultClass: storageClass() },
      'pending FailedBinding',
    ],
    [
      'with a class is provisioned',
      { className: 'fast' },
      { storageClass: storageClass() },
      'provision ExternalProvisioning',
    ],
    ['with a class that is not there fails', { className: 'fast' }, {}, 'nothing ProvisioningFailed'],
    [
      'of a class that nobody makes volumes of fails',
      { className: 'fast' },
      { storageClass: storageClass({ provisioner: 'kubernetes.io/no-provisioner' }) },
      'nothing ProvisioningFailed',
    ],
    [
      'waits for a consumer',
      { className: 'fast' },
      { storageClass: waiting },
      'pending WaitForFirstConsumer',
    ],
    [
      'waits for its consumer to be scheduled',
      { className: 'fast' },
      { storageClass: waiting, waitingPods: ['web'] },
      'pending WaitForPodScheduled',
    ],
    [
      'whose consumer has a node is provisioned',
      { className: 'fast', annotations: { 'volume.kubernetes.io/selected-node': 'n1' } },
      { storageClass: waiting },
      'provision ExternalProvisioning',
    ],
    ['that names a volume which is not there waits', { volumeName: 'disk' }, {}, 'pending'],
    ['that names a free volume is bound', { volumeName: 'disk' }, { named: volume() }, 'bind'],
    [
      'that names one which will not do waits',
      { volumeName: 'disk' },
      { named: volume({ spec: { capacity: { storage: '1Mi' } } }) },
      'pending VolumeMismatch',
    ],
    [
      'that names one which names it is bound, whether it fits or not',
      { volumeName: 'disk' },
      { named: volume({ spec: { ...ours(), capacity: { storage: '1Mi' } } }) },
      'bind',
    ],
    [
      "that names another's waits",
      { volumeName: 'disk' },
      { named: volume({ spec: theirs }) },
      'pending FailedBinding',
    ],
    [
      "for which we chose another's is left alone",
      { volumeName: 'disk', annotations: chosen },
      { named: volume({ spec: theirs }) },
      'nothing FailedBinding',
    ],
    [
      'that was bound and names nothing is lost',
      { annotations: bound },
      { match: () => volume() },
      'lost ClaimLost',
    ],
    [
      'that was bound and whose volume is gone is lost',
      { annotations: bound, volumeName: 'disk' },
      {},
      'lost ClaimLost',
    ],
    [
      "that was bound and whose volume is another's is lost",
      { annotations: bound, volumeName: 'disk' },
      { named: volume({ spec: theirs }) },
      'lost ClaimMisbound',
    ],
    [
      'that was bound to a volume which forgot is bound again',
      { annotations: bound, volumeName: 'disk' },
      { named: volume() },
      'bind',
    ],
    [
      'that is bound stays so',
      { annotations: bound, volumeName: 'disk' },
      { named: volume({ spec: ours('u1') }) },
      'bind',
    ],
  ];
  for (const [what, parts, around, wanted] of rows)
    it(what, () => {
      const context: ClaimContext = {
        named: undefined,
        match: () => undefined,
        storageClass: undefined,
        defaultClass: undefined,
        waitingPods: [],
        ...around,
      };
      assert.equal(said(decideClaim(claim(parts), context)), wanted);
    });

  it('asks for a match only with the patience of its class', () => {
    const asked: boolean[] = [];
    const match = (waits: boolean): undefined => void asked.push(waits);
    for (const each of [undefined, storageClass(), waiting])
      decideClaim(claim({ className: 'fast' }), {
        named: undefined,
        match,
        storageClass: each,
        defaultClass: undefined,
        waitingPods: [],
      });
    assert.deepEqual(asked, [false, false, true]);
  });

  it('of a class that has moved out of Kubernetes goes to the driver that took over', () => {
    const decision = decideClaim(claim({ className: 'fast' }), {
      named: undefined,
      match: () => undefined,
      storageClass: storageClass({ provisioner: 'kubernetes.io/aws-ebs' }),
      defaultClass: undefined,
      waitingPods: [],
    });
    assert.equal(decision.kind === 'provision' && decision.provisioner, 'ebs.csi.aws.com');
  });
});

describe('a volume', () => {
  const made = { 'pv.kubernetes.io/provisioned-by': 'example.com/disks' };
  const rows: readonly [string, VolumeParts, ClaimParts | undefined, string][] = [
    ['of nobody is available', {}, undefined, 'phase Available'],
    ['that names a claim by name alone is available', { spec: ours() }, {}, 'phase Available'],
    ['whose claim is gone is released', { spec: ours('u1') }, undefined, 'release'],
    ['whose claim has not chosen yet waits', { spec: ours('u1') }, {}, 'wait'],
    [
      'of another mode than its claim waits, and says so',
      { spec: { ...ours('u1'), volumeMode: 'Block' } },
      {},
      'wait mismatch',
    ],
    ['whose claim names it is bound', { spec: ours('u1') }, { volumeName: 'disk' }, 'phase Bound'],
    ['whose claim has another one is free again', { spec: ours('u1') }, { volumeName: 'other' }, 'unbind'],
    [
      'that was made for a claim which has another one goes',
      { annotations: made, spec: { ...ours('u1'), persistentVolumeReclaimPolicy: 'Delete' } },
      { volumeName: 'other' },
      'release',
    ],
    [
      'that was made and shall be kept is free again',
      { annotations: made, spec: { ...ours('u1'), persistentVolumeReclaimPolicy: 'Retain' } },
      { volumeName: 'other' },
      'unbind',
    ],
  ];
  for (const [what, parts, claimParts, wanted] of rows)
    it(what, () => {
      const decision = decideVolume(volume(parts), claimParts && claim(claimParts));
      const more = decision.kind === 'phase' ? ` ${decision.phase}` : '';
      const mismatch = decision.kind === 'wait' && decision.mismatch ? ' mismatch' : '';
      assert.equal(decision.kind + more + mismatch, wanted);
    });

  it('that we have chosen forgets its claim; one that was bound by hand only the uid', () => {
    assert.equal(unbound(volume({ annotations: chosen, spec: ours('u1') })).spec?.claimRef, undefined);
    assert.deepEqual(unbound(volume({ annotations: chosen, spec: ours('u1') })).metadata?.annotations, {});
    assert.deepEqual(unbound(volume({ spec: ours('u1') })).spec?.claimRef, {
      namespace: 'shop',
      name: 'data',
    });
  });

  it('that is released is left, or fails, by its policy', () => {
    const after = (policy: string, parts: VolumeParts = {}, usedBy: string[] = []): string => {
      const next = reclaim(
        volume({ ...parts, spec: { ...parts.spec, persistentVolumeReclaimPolicy: policy } }),
        usedBy,
      );
      return next.kind === 'fail' ? next.event.reason : next.kind;
    };
    assert.equal(after('Retain'), 'leave');
    assert.equal(after('Delete', { annotations: made }), 'leave');
    assert.equal(after('Delete', { spec: { csi: { driver: 'd', volumeHandle: 'h' } } }), 'leave');
    assert.equal(after('Delete', { annotations: { 'pv.kubernetes.io/migrated-to': 'd' } }), 'leave');
    assert.equal(after('Delete', { spec: { hostPath: { path: '/x' } } }), 'VolumeFailedDelete');
    assert.equal(
      after('Delete', { annotations: { 'pv.kubernetes.io/provisioned-by': 'kubernetes.io/x' } }),
      'VolumeFailedDelete',
    );
    assert.equal(after('Recycle'), 'VolumeFailedRecycle');
    assert.equal(after('Recycle', {}, ['shop/web']), 'leave');
    assert.equal(after('Shred'), 'VolumeUnknownReclaimPolicy');
  });
});

describe('the status of a claim', () => {
  it('has the modes and the size of its volume, and is written once', () => {
    const first = claimStatus(claim(), 'Bound', volume());
    assert.deepEqual(first, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
    assert.equal(claimStatus(claim({ status: first }), 'Bound', volume()), undefined);
  });

  it('keeps the size that the resizer has written', () => {
    const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
    const grown = volume({ spec: { capacity: { storage: '5Gi' } } });
    assert.equal(claimStatus(claim({ status }), 'Bound', grown), undefined);
  });

  it('has the size of before while the file system has yet to grow', () => {
    const annotations = { 'volume.alpha.kubernetes.io/pre-resize-capacity': '512Mi' };
    const status = claimStatus(claim(), 'Bound', volume({ annotations }));
    assert.deepEqual(status?.capacity, { storage: '512Mi' });
  });

  it('has nothing of a volume when there is none', () => {
    const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
    assert.deepEqual(claimStatus(claim({ status }), 'Lost'), { phase: 'Lost' });
  });
});

it('of several default classes the newest counts', () => {
  const made = (name: string, creationTimestamp: string, isDefault = 'true'): Served<StorageClass> =>
    served(StorageClass, {
      metadata: {
        name,
        creationTimestamp,
        annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault },
      },
      provisioner: 'p',
    });
  const classes = [
    made('old', '2026-01-01T00:00:00Z'),
    made('b', '2026-01-02T00:00:00Z'),
    made('a', '2026-01-02T00:00:00Z'),
    made('newest', '2026-01-03T00:00:00Z', 'false'),
  ];
  assert.equal(defaultClassOf(classes)?.metadata?.name, 'a');
  assert.equal(defaultClassOf([]), undefined);
});
