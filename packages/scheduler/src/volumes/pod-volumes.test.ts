// Which node a pod can have its volumes on, and why others will not do.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, type Pod } from '@windlass/apimachinery/api/core/v1';
import {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@windlass/apimachinery/api/storage/v1';
import { served } from '@windlass/apimachinery/testing';
import { PreparedFilters, prepareFilters } from '../framework/filters.ts';
import { NO_VOLUMES, type VolumeView } from '../framework/volume-view.ts';
import { DEFAULT_FILTERS } from '../plugins/default-plugins.ts';
import { testNode, testPod, testView } from '../testing.ts';

const ZONE = 'topology.kubernetes.io/zone';
const nodes = [testNode('a', { labels: { [ZONE]: 'za' } }), testNode('b', { labels: { [ZONE]: 'zb' } })];

type Volumes = NonNullable<NonNullable<Pod['spec']>['volumes']>;
const uses = (...claims: string[]): Volumes =>
  claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
const claim = (
  name: string,
  more: { className?: string; size?: string; volume?: string; node?: string; status?: string } = {},
): Served<PersistentVolumeClaim> =>
  served(PersistentVolumeClaim, {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      annotations: {
        ...(more.volume !== undefined && { 'pv.kubernetes.io/bind-completed': 'yes' }),
        ...(more.node !== undefined && { 'volume.kubernetes.io/selected-node': more.node }),
      },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: more.size ?? '1Gi' } },
      storageClassName: more.className ?? 'local',
      ...(more.volume !== undefined && { volumeName: more.volume }),
    },
    ...(more.status !== undefined && { status: { phase: more.status } }),
  });
const volume = (name: string, zone?: string, size = '1Gi', labels = {}): Served<PersistentVolume> =>
  served(PersistentVolume, {
    metadata: { name, labels },
    spec: {
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      ...(zone !== undefined && {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }],
          },
        },
      }),
    },
    status: { phase: 'Available' },
  });
const waiting = (name: string, provisioner: string, zones?: string[]): Served<StorageClass> =>
  served(StorageClass, {
    metadata: { name },
    provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
    ...(zones !== undefined && {
      allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: zones }] }],
    }),
  });
const classes: readonly Served<StorageClass>[] = [
  served(StorageClass, {
    metadata: { name: 'now' },
    provisioner: 'example.com',
    volumeBindingMode: 'Immediate',
  }),
  waiting('local', 'kubernetes.io/no-provisioner'),
  waiting('made', 'example.com'),
  waiting('zonal', 'example.com', ['zb']),
  waiting('counted', 'counted.example.com'),
];

interface Storage {
  readonly claims?: readonly Served<PersistentVolumeClaim>[];
  readonly volumes?: readonly Served<PersistentVolume>[];
  readonly capacities?: readonly Served<CSIStorageCapacity>[];
}

function viewOf({ claims = [], volumes = [], capacities = [] }: Storage): VolumeView {
  const named = <T extends { metadata?: { name?: string } }>(all: readonly T[], name: string) =>
    all.find(({ metadata }) => metadata?.name === name);
  const driver: Served<CSIDriver> = served(CSIDriver, {
    metadata: { name: 'counted.example.com' },
    spec: { storageCapacity: true },
  });
  return {
    ...NO_VOLUMES,
    claim: (key) => named(claims, key.replace('default/', '')),
    volume: (name) => named(volumes, name),
    candidates: () => volumes,
    storageClass: (name) => named(classes, name),
    csiDriver: (name) => named([driver], name),
    capacities: () => capacities,
  };
}

/** What the two nodes say; one word for all when none was asked. */
function judged(volumes: Volumes, storage: Storage): (string | undefined)[] {
  const view = testView(nodes, {}, undefined, viewOf(storage));
  const prepared = prepareFilters(testPod('web', { volumes }), DEFAULT_FILTERS, view);
  if (!(prepared instanceof PreparedFilters)) return prepared.reasons.slice();
  return nodes.map((node) => prepared.run(node)?.reasons.join(', '));
}

const NONE = "node(s) didn't find available persistent volumes to bind";
const ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity";
const FULL = 'node(s) did not have enough free storage';
const room = (zone: string, capacity: string, max?: string): Served<CSIStorageCapacity> =>
  served(CSIStorageCapacity, {
    storageClassName: 'counted',
    capacity,
    ...(max !== undefined && { maximumVolumeSize: max }),
    nodeTopology: { matchLabels: { [ZONE]: zone } },
  });

describe('a pod with claims', () => {
  const rows: readonly [string, Volumes, Storage, (string | undefined)[]][] = [
    ['without any goes anywhere', [], {}, [undefined, undefined]],
    ['waits for a claim that is not there', uses('x'), {}, ['persistentvolumeclaim "x" not found']],
    [
      'waits for a claim that is made for it',
      [{ name: 'x', ephemeral: {} }],
      {},
      ['waiting for ephemeral volume controller to create the persistentvolumeclaim "web-x"'],
    ],
    [
      "does not take a claim that is another's",
      [{ name: 'x', ephemeral: {} }],
      { claims: [claim('web-x')] },
      ['PVC default/web-x was not created for pod default/web (pod is not owner)'],
    ],
    [
      'waits for a lost claim',
      uses('x'),
      { claims: [claim('x', { volume: 'v', status: 'Lost' })] },
      ['persistentvolumeclaim "x" bound to non-existent persistentvolume "v"'],
    ],
    [
      'waits for claims that somebody else binds',
      uses('x'),
      { claims: [claim('x', { className: 'now' })] },
      ['pod has unbound immediate PersistentVolumeClaims'],
    ],
    [
      'goes where its volume is',
      uses('x'),
      { claims: [claim('x', { volume: 'v' })], volumes: [volume('v', 'zb')] },
      [ELSEWHERE, undefined],
    ],
    [
      'goes nowhere without its volume',
      uses('x'),
      { claims: [claim('x', { volume: 'v' })] },
      Array(2).fill('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'),
    ],
    [
      'goes where there is a volume',
      uses('x'),
      { claims: [claim('x')], volumes: [volume('v', 'za')] },
      [undefined, NONE],
    ],
    [
      'needs a volume for each claim',
      uses('x', 'y'),
      {
        claims: [claim('x'), claim('y')],
        volumes: [volume('v', 'za'), volume('w', 'zb'), volume('u', 'zb')],
      },
      [NONE, undefined],
    ],
    [
      'gives the small volume to the small claim',
      uses('x', 'y'),
      {
        claims: [claim('x', { size: '5Gi' }), claim('y', { size: '1Gi' })],
        volumes: [volume('v', 'za', '9Gi'), volume('w', 'za', '1Gi')],
      },
      [undefined, NONE],
    ],
    [
      'goes anywhere when a volume can be made',
      uses('x'),
      { claims: [claim('x', { className: 'made' })] },
      [undefined, undefined],
    ],
    [
      'goes where volumes of the class may be',
      uses('x'),
      { claims: [claim('x', { className: 'zonal' })] },
      [NONE, undefined],
    ],
    [
      'goes where its volume is being made',
      uses('x'),
      { claims: [claim('x', { className: 'made', node: 'b' })] },
      [NONE, undefined],
    ],
    [
      'goes where there is room',
      uses('x'),
      { claims: [claim('x', { className: 'counted' })], capacities: [room('za', '1Mi'), room('zb', '2Gi')] },
      [FULL, undefined],
    ],
    [
      'goes where one volume may be so big',
      uses('x'),
      {
        claims: [claim('x', { className: 'counted' })],
        capacities: [room('za', '9Gi', '1Mi'), room('zb', '9Gi', '1Gi')],
      },
      [FULL, undefined],
    ],
    [
      'goes nowhere before the driver has said what it has',
      uses('x'),
      { claims: [claim('x', { className: 'counted' })] },
      [FULL, FULL],
    ],
    [
      'goes where the labels of its volume say',
      uses('x'),
      {
        claims: [claim('x', { volume: 'v' })],
        volumes: [volume('v', undefined, '1Gi', { [ZONE]: 'zb__zc' })],
      },
      ['node(s) had no available volume zone', undefined],
    ],
    [
      'knows the old labels of zones',
      uses('x'),
      {
        claims: [claim('x', { volume: 'v' })],
        volumes: [volume('v', undefined, '1Gi', { 'failure-domain.beta.kubernetes.io/zone': 'za' })],
      },
      [undefined, 'node(s) had no available volume zone'],
    ],
  ];
  for (const [what, volumes, storage, wanted] of rows)
    it(what, () => assert.deepEqual(judged(volumes, storage), wanted));
});

describe('one node', () => {
  const run = (pod: ReturnType<typeof testPod>, others: ReturnType<typeof testPod>[], view: VolumeView) => {
    const node = testNode('n', {}, others);
    const prepared = prepareFilters(pod, DEFAULT_FILTERS, testView([node], {}, undefined, view));
    assert.ok(prepared instanceof PreparedFilters);
    return prepared.run(node)?.reasons[0];
  };

  it('has a disk once, unless all only read it', () => {
    const gce = (pdName: string, readOnly = false): Volumes => [
      { name: 'd', gcePersistentDisk: { pdName, readOnly } },
    ];
    const ebs = (volumeID: string): Volumes => [
      { name: 'd', awsElasticBlockStore: { volumeID, readOnly: true } },
    ];
    const rbd = (image: string, monitors: string[]): Volumes => [{ name: 'd', rbd: { image, monitors } }];
    const both = (mine: Volumes, theirs: Volumes) =>
      run(testPod('p', { volumes: mine }), [testPod('q', { volumes: theirs })], NO_VOLUMES);
    const taken = 'node(s) had no available disk';
    assert.equal(both(gce('x'), gce('y')), undefined);
    assert.equal(both(gce('x'), gce('x', true)), taken);
    assert.equal(both(gce('x', true), gce('x', true)), undefined);
    assert.equal(both(ebs('x'), ebs('x')), taken, 'even to read');
    assert.equal(both(rbd('x', ['m1', 'm2']), rbd('x', ['m2'])), taken);
    assert.equal(both(rbd('x', ['m1']), rbd('x', ['m2'])), undefined);
    assert.equal(both(gce('x'), ebs('x')), undefined);
  });

  it('takes no more volumes of a driver than it can', () => {
    const csi = (name: string): Served<PersistentVolume> =>
      served(PersistentVolume, {
        metadata: { name },
        spec: { csi: { driver: 'd.example.com', volumeHandle: name } },
      });
    const all = ['v1', 'v2', 'v3'];
    const claims = new Map(all.map((name) => [`default/c-${name}`, claim(`c-${name}`, { volume: name })]));
    const attached: string[] = [];
    const view: VolumeView = {
      ...NO_VOLUMES,
      claim: (key) => claims.get(key),
      volume: (name) => (all.includes(name) ? csi(name) : undefined),
      csiNode: () =>
        served(CSINode, {
          spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', allocatable: { count: 2 } }] },
        }),
      attachments: () =>
        attached.map((persistentVolumeName) =>
          served(VolumeAttachment, {
            spec: { attacher: 'd.example.com', nodeName: 'n', source: { persistentVolumeName } },
          }),
        ),
    };
    const pod = (name: string, ...claimNames: string[]) => testPod(name, { volumes: uses(...claimNames) });
    const full = 'node(s) exceed max volume count';
    assert.equal(run(pod('p', 'c-v1', 'c-v2'), [], view), undefined);
    assert.equal(run(pod('p', 'c-v1', 'c-v2', 'c-v3'), [], view), full);
    assert.equal(run(pod('p', 'c-v3'), [pod('q', 'c-v1', 'c-v2')], view), full);
    assert.equal(run(pod('p', 'c-v1'), [pod('q', 'c-v1', 'c-v2')], view), undefined, 'it is there already');
    attached.push('v1', 'v2');
    assert.equal(run(pod('p', 'c-v3'), [], view), full, 'what is still attached counts');
    assert.equal(run(pod('p', 'c-v2'), [], view), undefined);
  });
});
