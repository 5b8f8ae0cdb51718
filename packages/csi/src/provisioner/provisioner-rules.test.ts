import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Node, type PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { PENDING_FINALIZER, VOLUME_FINALIZER } from '../sidecar/names.ts';
import { type AccessibilityFacts, accessibilityRequirements, spreadIndex } from './accessibility.ts';
import { type ClaimDecision, decideClaim } from './claim-decision.ts';
import { driverParameters, fsTypeOf } from './class-parameters.ts';
import { planCreate } from './create-request.ts';
import { decideVolume, type VolumeDecision } from './volume-deletion.ts';

const DRIVER = 'a.csi';

describe('what is to be done about a claim', () => {
  const waiting: StorageClass = { provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' };
  const now: StorageClass = { provisioner: DRIVER };
  const own = { 'volume.kubernetes.io/storage-provisioner': DRIVER };
  const placed = { ...own, 'volume.kubernetes.io/selected-node': 'n' };
  const pending = { finalizers: [PENDING_FINALIZER] };
  const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const rows: [string, PersistentVolumeClaim, StorageClass | undefined, boolean, ClaimDecision][] = [
    ['it is nobody’s', {}, now, false, 'ignore'],
    [
      'it is another’s',
      { metadata: { annotations: { ...own, 'volume.kubernetes.io/storage-provisioner': 'b' } } },
      now,
      false,
      'ignore',
    ],
    ['it is ours', { metadata: { annotations: own } }, now, false, 'provision'],
    [
      'it is ours by the old name',
      { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-provisioner': DRIVER } } },
      now,
      false,
      'provision',
    ],
    ['it waits for a pod', { metadata: { annotations: own } }, waiting, false, 'ignore'],
    ['its pod has a node', { metadata: { annotations: placed } }, waiting, false, 'provision'],
    [
      'its node was taken back',
      { metadata: { annotations: { ...placed, 'volume.kubernetes.io/selected-node': '' } } },
      waiting,
      false,
      'ignore',
    ],
    ['its class has gone', { metadata: { annotations: own } }, undefined, false, 'no class'],
    ['its class is another’s now', { metadata: { annotations: own } }, { provisioner: 'b' }, false, 'ignore'],
    ['it is bound', { metadata: { annotations: own }, spec: { volumeName: 'v' } }, now, false, 'ignore'],
    [
      'it is bound and still marked',
      { metadata: { annotations: own, ...pending }, spec: { volumeName: 'v' } },
      now,
      false,
      'release',
    ],
    ['its volume is there', { metadata: { annotations: own } }, now, true, 'ignore'],
    [
      'its volume is there and it is still marked',
      { metadata: { annotations: own, ...pending } },
      now,
      true,
      'release',
    ],
    ['it goes, and nothing was begun', { metadata: { annotations: own, ...gone } }, now, false, 'ignore'],
    [
      'it goes, and something was begun',
      { metadata: { annotations: own, ...gone, ...pending } },
      now,
      false,
      'abandon',
    ],
    [
      'it goes without its class',
      { metadata: { annotations: own, ...gone, ...pending } },
      undefined,
      false,
      'abandon',
    ],
    [
      'it goes, and its volume is there',
      { metadata: { annotations: own, ...gone, ...pending } },
      now,
      true,
      'release',
    ],
    [
      'another try of it is under way',
      { metadata: { annotations: placed, ...pending } },
      waiting,
      false,
      'provision',
    ],
  ];
  for (const [when, claim, storageClass, hasVolume, decision] of rows)
    test(`${decision} when ${when}`, () =>
      assert.equal(decideClaim({ claim, driver: DRIVER, storageClass, hasVolume }), decision));
});

describe('what is to be done about a volume', () => {
  const volume = (
    phase: string,
    more: PersistentVolume['metadata'] = {},
    spec: PersistentVolume['spec'] = {},
  ): PersistentVolume => ({
    metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': DRIVER }, ...more },
    spec: { persistentVolumeReclaimPolicy: 'Delete', csi: { driver: DRIVER, volumeHandle: 'h' }, ...spec },
    status: { phase },
  });
  const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const kept = { finalizers: [VOLUME_FINALIZER] };
  const rows: [string, PersistentVolume, VolumeDecision][] = [
    ['it is released', volume('Released', kept), 'delete'],
    ['it is released and was made without the finalizer', volume('Released'), 'delete'],
    ['it is released and goes', volume('Released', { ...gone, ...kept }), 'delete'],
    ['it goes, and its storage has gone', volume('Released', gone), 'ignore'],
    ['it is bound', volume('Bound', kept), 'ignore'],
    ['it is bound and not protected', volume('Bound'), 'protect'],
    ['it is bound, not protected, and goes', volume('Bound', gone), 'ignore'],
    ['it is to be retained', volume('Released', {}, { persistentVolumeReclaimPolicy: 'Retain' }), 'ignore'],
    [
      'it is to be retained now',
      volume('Bound', kept, { persistentVolumeReclaimPolicy: 'Retain' }),
      'unprotect',
    ],
    [
      'another made it',
      volume('Released', { annotations: { 'pv.kubernetes.io/provisioned-by': 'b' } }),
      'ignore',
    ],
    ['somebody wrote it by hand', volume('Released', { annotations: {} }), 'delete'],
    ['it is available', volume('Available', kept), 'ignore'],
    ['it has failed', volume('Failed', kept), 'ignore'],
  ];
  for (const [when, object, decision] of rows)
    test(`${decision} when ${when}`, () => assert.equal(decideVolume(object, DRIVER), decision));
});

describe('where a volume may be', () => {
  const node = (name: string, labels: Record<string, string>) => served(Node, { metadata: { name, labels } });
  const csiNode = (name: string, topologyKeys: string[], driver = DRIVER) => ({
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { drivers: [{ name: driver, nodeID: name, topologyKeys }] },
  });
  const facts = (more: Partial<AccessibilityFacts>): AccessibilityFacts => ({
    driver: DRIVER,
    claimName: 'data',
    allowedTopologies: [],
    selectedNode: undefined,
    strict: false,
    immediate: true,
    nodes: [
      node('n1', { zone: 'a', rack: '1' }),
      node('n2', { zone: 'b', rack: '1' }),
      node('n3', { zone: 'b', rack: '1' }),
      node('n4', {}),
    ],
    csiNodes: [
      csiNode('n1', ['zone']),
      csiNode('n2', ['zone']),
      csiNode('n3', ['zone']),
      csiNode('n4', ['zone']),
    ],
    ...more,
  });
  const zones = (...names: string[]) => names.map((zone) => ({ segments: { zone } }));
  const allowed = (...values: string[]) => [{ matchLabelExpressions: [{ key: 'zone', values }] }];

  test('with a selected node: everywhere, and there at best', () => {
    assert.deepEqual(accessibilityRequirements(facts({ selectedNode: 'n2' })), {
      requisite: zones('a', 'b'),
      preferred: zones('b', 'a'),
    });
  });

  test('with a selected node and strictly: there alone', () => {
    assert.deepEqual(accessibilityRequirements(facts({ selectedNode: 'n2', strict: true })), {
      requisite: zones('b'),
      preferred: zones('b'),
    });
  });

  test('what the class allows counts', () => {
    assert.deepEqual(
      accessibilityRequirements(facts({ selectedNode: 'n2', allowedTopologies: allowed('b', 'c') })),
      {
        requisite: zones('b', 'c'),
        preferred: zones('b', 'c'),
      },
    );
    assert.throws(
      () =>
        accessibilityRequirements(
          facts({ selectedNode: 'n1', strict: true, allowedTopologies: allowed('b') }),
        ),
      /none that the class allows/,
    );
    assert.throws(
      () => accessibilityRequirements(facts({ selectedNode: 'n1', allowedTopologies: allowed('b') })),
      /none of those possible/,
    );
  });

  test('values of several keys are combined, and terms are alternatives', () => {
    const both = [
      {
        matchLabelExpressions: [
          { key: 'zone', values: ['a', 'b'] },
          { key: 'rack', values: ['1', '2'] },
        ],
      },
      { matchLabelExpressions: [{ key: 'zone', values: ['c'] }] },
    ];
    const { requisite } = accessibilityRequirements(facts({ allowedTopologies: both })) ?? {};
    assert.deepEqual(
      requisite?.map((term) => term?.segments),
      [
        { zone: 'c' },
        { rack: '1', zone: 'a' },
        { rack: '1', zone: 'b' },
        { rack: '2', zone: 'a' },
        { rack: '2', zone: 'b' },
      ],
    );
  });

  test('without a selected node: anywhere that the driver is, begun at a place that the name gives', () => {
    const { requisite, preferred } = accessibilityRequirements(facts({ claimName: 'data-web-1' })) ?? {};
    assert.deepEqual(requisite, zones('a', 'b'));
    assert.equal(preferred?.length, 2);
    assert.notDeepEqual(preferred, accessibilityRequirements(facts({ claimName: 'data-web-2' }))?.preferred);
    assert.equal(accessibilityRequirements(facts({ immediate: false })), undefined);
  });

  test('a driver that is not there yet', () => {
    assert.throws(() => accessibilityRequirements(facts({ csiNodes: [] })), /told no node's topology/);
    assert.throws(
      () => accessibilityRequirements(facts({ selectedNode: 'n1', csiNodes: [] })),
      /not registered on/,
    );
    assert.throws(() => accessibilityRequirements(facts({ selectedNode: 'n4' })), /lacks labels/);
    assert.throws(
      () =>
        accessibilityRequirements(
          facts({ selectedNode: 'n1', csiNodes: [csiNode('n1', ['zone'], 'b.csi')] }),
        ),
      /not registered on/,
    );
  });

  test('claims of one pod of a set stay together, and pods spread', () => {
    for (const index of [0, 1, 2, 7])
      assert.equal(spreadIndex(`data-web-${index}`, 3), spreadIndex(`log-web-${index}`, 3));
    assert.equal(new Set([0, 1, 2].map((index) => spreadIndex(`data-web-${index}`, 3))).size, 3);
    assert.equal(spreadIndex('data', 3), spreadIndex('data', 3));
  });
});

describe('parameters of a class', () => {
  test('the file system, by either name', () => {
    assert.equal(fsTypeOf({ 'csi.storage.k8s.io/fstype': 'xfs' }, 'ext4'), 'xfs');
    assert.equal(fsTypeOf({ fsType: 'xfs' }, ''), 'xfs');
    assert.equal(fsTypeOf({}, 'ext4'), 'ext4');
    assert.throws(() => fsTypeOf({ fstype: 'a', 'csi.storage.k8s.io/fstype': 'b' }, ''), /twice/);
  });

  test('prefixed ones stay here, unknown ones are refused, and the rest is for the driver', () => {
    const secrets = ['', 'provisioner-', 'node-stage-', 'controller-expand-'].flatMap((use) => [
      [`csi.storage.k8s.io/${use}secret-name`, 'n'],
      [`csi.storage.k8s.io/${use}secret-namespace`, 'n'],
    ]);
    assert.deepEqual(
      driverParameters({
        a: '1',
        fstype: 'xfs',
        'csi.storage.k8s.io/fstype': 'x',
        ...Object.fromEntries(secrets),
      }),
      { a: '1', fstype: 'xfs' },
    );
    assert.throws(() => driverParameters({ 'csi.storage.k8s.io/fstyp': 'x' }), /unknown parameter .*fstyp/);
  });
});

describe('a request', () => {
  const driver: DriverFacts = {
    name: DRIVER,
    services: new Set(),
    controller: new Set(['CREATE_DELETE_VOLUME']),
    hasTopology: false,
  };
  const plan = (spec: PersistentVolumeClaim['spec'], more: Partial<DriverFacts> = {}) =>
    planCreate({
      claim: served(PersistentVolumeClaim, {
        metadata: { name: 'c', namespace: 'd' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
      }),
      storageClass: served(StorageClass, { provisioner: DRIVER }),
      volumeName: 'pvc-1',
      driver: { ...driver, ...more },
      defaultFsType: '',
      extraCreateMetadata: false,
      accessibility: undefined,
    });

  for (const [mode, plain, fine] of [
    ['ReadWriteOnce', 'SINGLE_NODE_WRITER', 'SINGLE_NODE_MULTI_WRITER'],
    ['ReadWriteOncePod', 'SINGLE_NODE_WRITER', 'SINGLE_NODE_SINGLE_WRITER'],
    ['ReadOnlyMany', 'MULTI_NODE_READER_ONLY', 'MULTI_NODE_READER_ONLY'],
    ['ReadWriteMany', 'MULTI_NODE_MULTI_WRITER', 'MULTI_NODE_MULTI_WRITER'],
  ] as const)
    test(`${mode} is ${plain}, or ${fine} where the driver tells writers apart`, () => {
      const modeOf = (facts: Partial<DriverFacts>) =>
        plan({ accessModes: [mode] }, facts).request.volumeCapabilities?.map(
          ({ accessMode }) => accessMode?.mode,
        );
      assert.deepEqual(modeOf({}), [plain]);
      const both = new Set(['CREATE_DELETE_VOLUME', 'SINGLE_NODE_MULTI_WRITER'] as const);
      assert.deepEqual(modeOf({ controller: both }), [fine]);
    });

  test('sizes are rounded up to whole bytes, and block volumes have no file system', () => {
    assert.equal(plan({ resources: { requests: { storage: '1500m' } } }).bytes, 2);
    assert.deepEqual(plan({ volumeMode: 'Block' }).request.volumeCapabilities, [
      { block: {}, accessMode: { mode: 'SINGLE_NODE_WRITER' } },
    ]);
  });

  for (const [what, spec, message] of [
    ['a selector', { selector: { matchLabels: {} } }, /selector/],
    ['no size', { resources: {} }, /no storage/],
    ['too large a size', { resources: { requests: { storage: '16Ei' } } }, /2\^53/],
    ['no access mode', { accessModes: [] }, /no access mode/],
    ['an unknown access mode', { accessModes: ['ReadSometimes'] }, /no form in CSI/],
  ] as const)
    test(`${what} cannot be asked for`, () => {
      assert.throws(() => plan(spec as unknown as PersistentVolumeClaim['spec']), message);
    });

  test('a driver that makes no volumes', () => {
    assert.throws(() => plan({}, { controller: new Set() }), /does not make volumes/);
  });
});
