import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { expansionOf } from './expansion.ts';

const claim = (request: string, has: string, phase = 'Bound'): Served<PersistentVolumeClaim> =>
  served(PersistentVolumeClaim, {
    metadata: { name: 'c', uid: 'u' },
    spec: { resources: { requests: { storage: request } } },
    status: { phase, capacity: { storage: has } },
  });
const volume = (
  spec: Partial<NonNullable<PersistentVolume['spec']>>,
  annotations: Record<string, string> = {},
): Served<PersistentVolume> =>
  served(PersistentVolume, {
    metadata: { name: 'v', annotations },
    spec: { claimRef: { uid: 'u' }, ...spec },
  });
const csi = { csi: { driver: 'd', volumeHandle: 'h' } };

it('a claim that asks for more is handed over', () => {
  const rows: readonly [
    string,
    Served<PersistentVolumeClaim>,
    Served<PersistentVolume>,
    string | undefined,
  ][] = [
    ['to the driver', claim('2Gi', '1Gi'), volume(csi), 'Normal'],
    ['not when it has it', claim('1024Mi', '1Gi'), volume(csi), undefined],
    ['not when it has more', claim('1Gi', '2Gi'), volume(csi), undefined],
    ['not before it is bound', claim('2Gi', '1Gi', 'Pending'), volume(csi), undefined],
    [
      'not when the volume is not its own',
      claim('2Gi', '1Gi'),
      volume({ ...csi, claimRef: { uid: 'x' } }),
      undefined,
    ],
    ['to nobody that we know', claim('2Gi', '1Gi'), volume({ hostPath: { path: '/x' } }), 'Warning'],
    [
      'to the driver that took over',
      claim('2Gi', '1Gi'),
      volume({ awsElasticBlockStore: { volumeID: 'v' } }),
      'Normal ebs.csi.aws.com',
    ],
    [
      'while its file system has yet to grow',
      claim('1Gi', '1Gi'),
      volume(csi, { 'volume.alpha.kubernetes.io/pre-resize-capacity': '512Mi' }),
      'Normal',
    ],
  ];
  for (const [what, wants, has, wanted] of rows) {
    const expansion = expansionOf(wants, has);
    const said = expansion && [expansion.event.type, expansion.resizer].filter(Boolean).join(' ');
    assert.equal(said, wanted, what);
  }
});
