// What a claim may ask for, and what of it may change (ValidatePersistentVolumeClaimUpdate of Kubernetes 1.36).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const CLAIMS = inDefault('persistentvolumeclaims');
const size = (storage: string): Json => ({ resources: { requests: { storage } } });
const claim = (spec: Json): Json => ({ spec: { accessModes: ['ReadWriteOnce'], ...size('2Gi'), ...spec } });

describe('a new claim', () => {
  testRefusals(api, CLAIMS, claim, [
    ['needs a size and a mode', {}, []],
    ['may say that it wants no class', { storageClassName: '' }, []],
    [
      'has a mode',
      { accessModes: [] },
      ['spec.accessModes: Required value: at least 1 access mode is required'],
    ],
    ['has a size', { resources: {} }, ['spec.resources[storage]: Required value']],
    [
      'is for files or a block device',
      { volumeMode: 'Tape' },
      ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
    ],
  ]);

  for (const field of ['storageClassName', 'volumeAttributesClassName'])
    it(`has a name that can be one for its ${field}`, async () => {
      const [refusal = ''] = await api.refusals(CLAIMS, claim({ [field]: 'A_B' }));
      assert.match(
        refusal,
        new RegExp(`^spec\\.${field}: Invalid value: "A_B": a lowercase RFC 1123 subdomain`),
      );
    });
});

describe('a change of a claim', () => {
  const FIXED =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  const bound = { phase: 'Bound', capacity: { storage: '1Gi' } };
  const rows: readonly (readonly [
    rule: string,
    spec: Json,
    status: Json,
    change: Json,
    refusals: readonly string[],
  ])[] = [
    ['may name the volume once', {}, {}, { volumeName: 'v' }, []],
    ['does not name another volume', { volumeName: 'v' }, {}, { volumeName: 'w' }, [FIXED]],
    ['leaves the class', { storageClassName: 'a' }, {}, { storageClassName: 'b' }, [FIXED]],
    ['may name a class where none was named', {}, {}, { storageClassName: 'b' }, []],
    ['leaves the size until there is a volume', {}, {}, size('3Gi'), [FIXED]],
    ['may let a bound claim grow', { storageClassName: 'grows' }, bound, size('3Gi'), []],
    ['may take back a growth that is not done', {}, bound, size('1500Mi'), []],
    [
      'makes no claim as small as its volume',
      {},
      bound,
      size('1Gi'),
      ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
    ],
    ['may give a bound claim other attributes', {}, bound, { volumeAttributesClassName: 'a' }, []],
    [
      'leaves what the volume is for',
      {},
      {},
      { volumeMode: 'Block' },
      [FIXED, 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
  ];
  before(() =>
    api.request('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      body: { metadata: { name: 'grows' }, provisioner: 'a', allowVolumeExpansion: true },
    }),
  );
  for (const [rule, spec, status, change, refusals] of rows)
    it(rule, async () => {
      const path = await api.create(CLAIMS, claim(spec));
      await api.change(`${path}/status`, { status });
      assert.deepEqual(await api.changeRefusals(path, { spec: change }), refusals);
    });
});

describe('the status of a claim', () => {
  const rows: readonly (readonly [rule: string, status: Json, refusals: readonly string[]])[] = [
    ['need not say how large the volume is', { phase: 'Pending' }, []],
    [
      'has no negative capacity',
      { capacity: { storage: '-1' } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    ],
    ['says how far a growth is', { allocatedResourceStatuses: { storage: 'NodeResizePending' } }, []],
    [
      'names a step of a growth that there is',
      { allocatedResourceStatuses: { storage: 'Soon' } },
      [
        'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
      ],
    ],
    [
      'allocates storage and nothing else',
      { allocatedResources: { cpu: '1' } },
      ['status.allocatedResources: Unsupported value: "cpu": supported values: "storage"'],
    ],
    [
      'allocates nothing negative',
      { allocatedResources: { storage: '-1' } },
      ['status.allocatedResources[storage]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
  ];
  for (const [rule, status, refusals] of rows)
    it(rule, async () => {
      const path = await api.create(CLAIMS, claim({}));
      assert.deepEqual(await api.changeRefusals(`${path}/status`, { status }), refusals);
    });
});
