import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
} from '../generated/api/core/v1.ts';
import type { Served } from '../served.ts';
import { served } from '../testing/index.ts';
import {
  BOUND_BY_CONTROLLER,
  claimsOfPod,
  findMatchingVolume,
  volumeForClaim,
  volumeMisfit,
} from './volume-binding.ts';

type VolumeParts = PersistentVolumeSpec & {
  size?: string;
  labels?: Record<string, string>;
  phase?: string;
  deleted?: boolean;
};

const volume = (name: string, parts: VolumeParts = {}): Served<PersistentVolume> => {
  const { size = '1Gi', labels = {}, phase = 'Available', deleted = false, ...spec } = parts;
  return served(PersistentVolume, {
    metadata: { name, labels, ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
    spec: { capacity: { storage: size }, accessModes: ['ReadWriteOnce'], storageClassName: 'fast', ...spec },
    status: { phase },
  });
};

const claim = (
  spec: Partial<NonNullable<PersistentVolumeClaim['spec']>> = {},
): Served<PersistentVolumeClaim> =>
  served(PersistentVolumeClaim, {
    metadata: { name: 'data', namespace: 'shop', uid: 'u1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'fast',
      ...spec,
    },
  });

const ref = (name: string, uid?: string) => ({ namespace: 'shop', name, ...(uid !== undefined && { uid }) });
const inZone = (zone: string): PersistentVolumeSpec => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
    },
  },
});
const node = served(Node, { metadata: { name: 'n1', labels: { zone: 'a' } } });

describe('the volume for a claim', () => {
  const rows: readonly [
    what: string,
    wanted: string | undefined,
    volumes: readonly Served<PersistentVolume>[],
    options?: Parameters<typeof findMatchingVolume>[2],
    claim?: Served<PersistentVolumeClaim>,
  ][] = [
    ['none', undefined, []],
    [
      'the smallest that is big enough',
      'b',
      [volume('c', { size: '5Gi' }), volume('a', { size: '1023Mi' }), volume('b', { size: '2Gi' })],
    ],
    ['of two alike the first by name', 'a', [volume('b'), volume('a')]],
    ['sizes are compared as amounts', 'a', [volume('b', { size: '2Gi' }), volume('a', { size: '1025Mi' })]],
    [
      'free ones only',
      undefined,
      [volume('a', { phase: 'Released' }), volume('b', { phase: 'Pending' }), volume('c', { deleted: true })],
    ],
    ['of its class', undefined, [volume('a', { storageClassName: 'slow' })]],
    [
      'of no class',
      'a',
      [volume('b'), volume('a', { storageClassName: '' })],
      {},
      claim({ storageClassName: '' }),
    ],
    ['of its mode', undefined, [volume('a', { volumeMode: 'Block' })]],
    [
      'a block device',
      'a',
      [volume('a', { volumeMode: 'Block' }), volume('b')],
      {},
      claim({ volumeMode: 'Block' }),
    ],
    ['of its attributes class', 'b', [volume('a', { volumeAttributesClassName: 'gold' }), volume('b')]],
    [
      'with all its access modes',
      'b',
      [volume('a'), volume('b', { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] })],
      {},
      claim({ accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }),
    ],
    [
      'rather bigger than with more access modes',
      'b',
      [volume('a', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }), volume('b', { size: '9Gi' })],
    ],
    [
      'that its selector takes',
      'b',
      [volume('a'), volume('b', { labels: { tier: 'x' }, size: '9Gi' })],
      {},
      claim({ selector: { matchLabels: { tier: 'x' } } }),
    ],
    ['of nobody else', undefined, [volume('a', { claimRef: ref('other') })]],
    ['of no earlier claim of its name', undefined, [volume('a', { claimRef: ref('data', 'u0') })]],
    [
      'one that names it goes first, whatever its class',
      'z',
      [
        volume('a'),
        volume('z', { claimRef: ref('data'), size: '9Gi', storageClassName: 'slow', phase: 'Pending' }),
      ],
    ],
    ['but not if it is too small', 'a', [volume('a'), volume('z', { claimRef: ref('data'), size: '1Mi' })]],
    [
      'one that names it and is out of reach leaves it without',
      undefined,
      [volume('a'), volume('z', { claimRef: ref('data', 'u1'), ...inZone('b') })].reverse(),
      { node },
    ],
    ['in reach of the node', 'b', [volume('a', inZone('b')), volume('b', inZone('a'))], { node }],
    ['that nobody has been promised', 'b', [volume('a'), volume('b')], { excluded: new Set(['a']) }],
    ['none before there is a consumer', undefined, [volume('a')], { waitsForConsumer: true }],
    ['unless it names the claim', 'z', [volume('z', { claimRef: ref('data') })], { waitsForConsumer: true }],
    ['with a consumer any that fits', 'a', [volume('a')], { waitsForConsumer: true, node }],
  ];
  for (const [what, wanted, volumes, options, wants = claim()] of rows)
    it(what, () => {
      assert.equal(findMatchingVolume(wants, volumes, options)?.metadata?.name, wanted);
    });
});

it('a volume that was asked for by name says why it will not do', () => {
  const why = (parts: VolumeParts): string | undefined => volumeMisfit(volume('v', parts), claim());
  assert.equal(why({}), undefined);
  assert.equal(why({ size: '1Mi' }), 'requested PV is too small');
  assert.equal(why({ storageClassName: '' }), 'storageClassName does not match');
  assert.equal(why({ volumeAttributesClassName: 'x' }), 'volumeAttributesClassName does not match');
  assert.equal(why({ volumeMode: 'Block' }), 'incompatible volumeMode');
  assert.equal(why({ accessModes: ['ReadOnlyMany'] }), 'incompatible accessMode');
  assert.equal(why({ deleted: true }), 'the volume is marked for deletion "v"');
});

it('a volume that is given to a claim remembers who chose', () => {
  const chosen = volumeForClaim(volume('v'), claim());
  assert.equal(chosen?.metadata?.annotations?.[BOUND_BY_CONTROLLER], 'yes');
  assert.equal(chosen?.spec?.claimRef?.uid, 'u1');
  const byHand = volumeForClaim(volume('v', { claimRef: ref('data') }), claim());
  assert.equal(byHand?.metadata?.annotations, undefined);
  assert.equal(byHand?.spec?.claimRef?.uid, 'u1');
  assert.equal(volumeForClaim(volume('v', { claimRef: ref('data', 'u1') }), claim()), undefined);
});

it('the claims of a pod are those it names and those that are made for it', () => {
  const volumes = [
    { name: 'a', persistentVolumeClaim: { claimName: 'shared' } },
    { name: 'b', emptyDir: {} },
    { name: 'c', ephemeral: {} },
  ];
  const pod = served(Pod, { metadata: { name: 'web' }, spec: { containers: [], volumes } });
  assert.deepEqual(claimsOfPod(pod), [
    { claim: 'shared', volume: 'a', isEphemeral: false },
    { claim: 'web-c', volume: 'c', isEphemeral: true },
  ]);
});
