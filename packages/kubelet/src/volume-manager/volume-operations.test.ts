// What is known of a mount after each outcome of a step. The next step follows from it (next-operations.ts).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import { FakeClock } from '@windlass/base';
import { GrpcError } from '@windlass/csi';
import { ActualState, type ActualVolume, type MountState } from './actual-state.ts';
import { type DesiredMount, DesiredState } from './desired-state.ts';
import { UncertainError, VolumeError } from './errors.ts';
import { nextOperations } from './next-operations.ts';
import { CSI_PLUGIN, type CsiVolume, csiName, podLocalName, type WantedVolume } from './volume.ts';
import type { VolumeObjects } from './volume-objects.ts';
import { VolumeOperations } from './volume-operations.ts';
import type { VolumePlugin } from './volume-plugin.ts';

const UID = 'pod-1';
const SIGNAL = new AbortController().signal;
const csi: CsiVolume = {
  kind: 'csi',
  name: 'data',
  specName: 'pv',
  plugin: CSI_PLUGIN,
  uniqueName: csiName('d', 'h'),
  csi: { driver: 'd', handle: 'h', isInline: false },
  source: { driver: 'd', volumeHandle: 'h' },
  volume: served(PersistentVolume, { spec: { capacity: { storage: '1Gi' } } }),
  claim: served(PersistentVolumeClaim, { status: { capacity: { storage: '1Gi' } } }),
  isReadOnly: false,
  isAttachable: false,
  isRepublished: false,
};
const settings: WantedVolume = {
  kind: 'pod-local',
  name: 'settings',
  specName: 'settings',
  plugin: 'kubernetes.io/configmap',
  uniqueName: podLocalName('kubernetes.io/configmap', UID, 'settings'),
  source: { name: 'settings', configMap: { name: 'settings' } },
  isReadOnly: false,
};

/** A plugin whose calls all end like this. */
function plugin(outcome: () => void): VolumePlugin {
  const act = async (): Promise<void> => outcome();
  const stats = async (): Promise<undefined> => undefined;
  return { mountDevice: act, unmountDevice: act, setUp: act, stats, expand: act, tearDown: act };
}

const unused = async (): Promise<never> => assert.fail('no object is needed');
const objects: VolumeObjects = {
  configMap: unused,
  allocatable: () => ({}),
  services: async () => [],
  secret: unused,
  claim: unused,
  volume: unused,
  attachment: unused,
  driver: unused,
  writeClaimStatus: unused,
  token: unused,
};

interface Node {
  readonly operations: VolumeOperations;
  readonly known: ActualVolume;
  readonly mount: DesiredMount;
  /** What would be done next. */
  readonly next: () => string[];
}

interface Before {
  readonly objects?: VolumeObjects;
  readonly mount?: MountState;
  readonly device?: ActualVolume['device'];
  readonly isReconstructed?: boolean;
}

function node(volume: WantedVolume, outcome: () => void, before: Before = {}): Node {
  const [actual, desired] = [new ActualState(), new DesiredState()];
  const pod = served(Pod, { metadata: { uid: UID } });
  desired.set(pod, [volume]);
  const known = actual.volume(volume);
  const { device = 'none', mount, isReconstructed = false } = before;
  known.device = device;
  known.isDeviceReconstructed = isReconstructed;
  if (mount !== undefined)
    actual.setMount(known, {
      uid: UID,
      specName: volume.specName,
      state: mount,
      isReconstructed,
      needsRemount: true,
    });
  const operations = new VolumeOperations({
    nodeName: 'n',
    actual,
    desired,
    objects: before.objects ?? objects,
    clock: new FakeClock(),
    onGrown: () => {},
    csi: plugin(outcome),
    podLocal: plugin(outcome),
    node: () => undefined,
  });
  const asked: DesiredMount = { uid: UID, pod, volume };
  const next = (): string[] =>
    nextOperations({
      desired: desired.mountsOf(volume.uniqueName),
      actual: known,
      isUndecided: () => false,
    }).map((step) => step.do);
  return { operations, known, mount: asked, next };
}

const fine = (): void => {};
const failWith = (error: Error) => (): void => {
  throw error;
};
const REFUSED = new GrpcError('INTERNAL', 'no');
const LOST = new GrpcError('UNAVAILABLE', 'lost');
const UNKNOWN = new UncertainError('half done');
const LOCAL = new VolumeError('no such ConfigMap');

// As upstream's csi_attacher reads a VolumeAttachment.
describe('a volume is attached', () => {
  const wait = 'volume h is not attached yet';
  const rows: readonly (readonly [
    when: string,
    attachment: Pick<VolumeAttachment, 'metadata' | 'status'> | undefined,
    refusal: RegExp | undefined,
  ])[] = [
    ['when the server says so', { status: { attached: true } }, undefined],
    [
      'not before somebody has asked for it',
      undefined,
      /^volumeattachments\.storage\.k8s\.io "csi-.*" not found$/,
    ],
    ['not before the attacher has looked at it', {}, new RegExp(`^${wait}$`)],
    ['not before the attacher is done', { status: { attached: false } }, new RegExp(`^${wait}$`)],
    [
      'not where the attacher has failed',
      { status: { attached: false, attachError: { message: 'no room' } } },
      /^no room$/,
    ],
    [
      'not while it is being detached',
      { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' }, status: { attached: true } },
      /^volume attachment csi-.* is being deleted$/,
    ],
  ];
  for (const [when, attachment, refusal] of rows)
    it(when, async () => {
      const spec = { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'pv' } };
      const answer = async () => attachment && served(VolumeAttachment, { spec, ...attachment });
      const { operations, known, mount } = node(csi, fine, { objects: { ...objects, attachment: answer } });
      if (refusal === undefined) await operations.attach(mount, SIGNAL);
      else await assert.rejects(operations.attach(mount, SIGNAL), { message: refusal });
      assert.equal(known.isAttached, refusal === undefined);
    });
});

describe('a mount for a pod', () => {
  const rows: [
    rule: string,
    volume: WantedVolume,
    before: MountState | undefined,
    outcome: () => void,
    after: MountState | undefined,
    isAgain: boolean,
  ][] = [
    ['is there when it worked', settings, undefined, fine, 'mounted', false],
    ['is there when it worked again', settings, 'mounted', fine, 'mounted', false],
    ['is not there when the first attempt was refused', csi, undefined, failWith(REFUSED), undefined, true],
    ['is not there when nothing was done', settings, undefined, failWith(LOCAL), undefined, true],
    ['may be there when nobody knows', csi, undefined, failWith(UNKNOWN), 'uncertain', true],
    [
      'that may be there is gone when the driver refuses it',
      csi,
      'uncertain',
      failWith(REFUSED),
      undefined,
      true,
    ],
    [
      'that may be there still may be when the answer is lost',
      csi,
      'uncertain',
      failWith(LOST),
      'uncertain',
      true,
    ],
    // The pod runs and reads what is there. What it should read is not all there yet, so the mount is made again.
    [
      'stays for its pod when mounting it anew fails, and is tried again',
      settings,
      'mounted',
      failWith(LOCAL),
      'mounted',
      true,
    ],
    [
      'stays for its pod when the driver refuses to mount it anew, and is tried again',
      csi,
      'mounted',
      failWith(REFUSED),
      'mounted',
      true,
    ],
  ];
  for (const [rule, volume, before, outcome, after, isAgain] of rows)
    it(rule, async () => {
      const device = volume === csi ? 'mounted' : 'none';
      const { operations, known, mount, next } = node(volume, outcome, {
        device,
        ...(before !== undefined && { mount: before }),
      });
      const mounted = operations.mount(mount, SIGNAL);
      if (outcome === fine) await mounted;
      else await assert.rejects(mounted);
      assert.equal(known.pods.get(UID)?.state, after);
      assert.deepEqual(
        next().filter((type) => type === 'mount'),
        isAgain ? ['mount'] : [],
      );
    });

  it('that was found on the disk is not gone because the driver refuses it', async () => {
    const { operations, known, mount } = node(csi, failWith(REFUSED), {
      device: 'mounted',
      mount: 'uncertain',
      isReconstructed: true,
    });
    await assert.rejects(operations.mount(mount, SIGNAL));
    assert.equal(known.pods.get(UID)?.state, 'uncertain');
  });

  it('is uncertain while the plugin is at it', async () => {
    let state: MountState | undefined;
    const { operations, known, mount } = node(settings, () => {
      state = known.pods.get(UID)?.state;
    });
    await operations.mount(mount, SIGNAL);
    assert.equal(state, 'uncertain');
  });

  it('of a volume for one pod is refused to another', async () => {
    const volume: CsiVolume = {
      ...csi,
      volume: served(PersistentVolume, { spec: { accessModes: ['ReadWriteOncePod'] } }),
    };
    const { operations, mount, known } = node(volume, fine, { device: 'mounted', mount: 'mounted' });
    await operations.mount(mount, SIGNAL);
    await assert.rejects(
      operations.mount({ ...mount, uid: 'pod-2' }, SIGNAL),
      /already in use by another pod/,
    );
    assert.deepEqual([...known.pods.keys()], [UID]);
  });
});

describe('the device', () => {
  const rows: [rule: string, before: Before, outcome: () => void, after: ActualVolume['device']][] = [
    ['is there when it worked', {}, fine, 'mounted'],
    ['is not there when the first attempt was refused', {}, failWith(REFUSED), 'none'],
    ['may be there when nobody knows', {}, failWith(UNKNOWN), 'uncertain'],
    [
      'that may be there is gone when the driver refuses it',
      { device: 'uncertain' },
      failWith(REFUSED),
      'none',
    ],
    [
      'that was found on the disk is not',
      { device: 'uncertain', isReconstructed: true },
      failWith(REFUSED),
      'uncertain',
    ],
  ];
  for (const [rule, before, outcome, after] of rows)
    it(rule, async () => {
      const { operations, known, mount } = node(csi, outcome, before);
      const done = operations.mountDevice(mount, SIGNAL);
      if (outcome === fine) await done;
      else await assert.rejects(done);
      assert.equal(known.device, after);
    });

  it('is uncertain until it is unmounted, and then not attached either', async () => {
    const failing = node(csi, failWith(LOST), { device: 'mounted' });
    await assert.rejects(failing.operations.unmountDevice(failing.known, SIGNAL));
    assert.equal(failing.known.device, 'uncertain');
    const { operations, known } = node(csi, fine, { device: 'mounted', isReconstructed: true });
    known.isAttached = true;
    await operations.unmountDevice(known, SIGNAL);
    assert.deepEqual([known.device, known.isAttached, known.isDeviceReconstructed], ['none', false, false]);
  });
});

describe('an unmount', () => {
  it('is done when the plugin says so, and uncertain before', async () => {
    const failing = node(settings, failWith(LOCAL), { mount: 'mounted' });
    await assert.rejects(failing.operations.unmount(failing.known, UID, SIGNAL));
    assert.equal(failing.known.pods.get(UID)?.state, 'uncertain');
    const { operations, known } = node(settings, fine, { mount: 'mounted' });
    await operations.unmount(known, UID, SIGNAL);
    assert.equal(known.pods.size, 0);
  });
});
