// What a volume of each kind cannot do without (validateVolumeSource of Kubernetes 1.36).
import { describe } from 'node:test';
import { type Json, KindApi, type RefusalRow, testRefusals } from '../testing/kind-api.ts';

const api = new KindApi();

describe('the source of a persistent volume', () => {
  const volume = (source: Json): Json => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
  });
  /** The source without anything, and the fields that it is then told to give. */
  const needs = (source: string, ...fields: string[]): RefusalRow => [
    `of ${source} has ${fields.join(' and ')}`,
    { [source]: {} },
    fields.map((field) => `spec.${field}: Required value`),
  ];
  testRefusals(api, '/api/v1/persistentvolumes', volume, [
    needs('awsElasticBlockStore', 'awsElasticBlockStore.volumeID'),
    needs('gcePersistentDisk', 'persistentDisk.pdName'),
    needs('glusterfs', 'glusterfs.endpoints', 'glusterfs.path'),
    needs('photonPersistentDisk', 'photonPersistentDisk.pdID'),
    needs('portworxVolume', 'portworxVolume.volumeID'),
    needs('scaleIO', 'scaleIO.gateway', 'scaleIO.system', 'scaleIO.volumeName'),
    needs('storageos', 'storageos.volumeName'),
    needs('vsphereVolume', 'vsphereVolume.volumePath'),
    [
      'of csi has a driver and a volume',
      { csi: {} },
      ['spec.csi.driver: Required value', 'spec.csi.volumeHandle: Required value'],
    ],
    [
      'of nfs has a server and an absolute path',
      { nfs: {} },
      [
        'spec.nfs.path: Invalid value: "": must be an absolute path',
        'spec.nfs.path: Required value',
        'spec.nfs.server: Required value',
      ],
    ],
    [
      'of this machine has a path and nodes',
      { local: {} },
      [
        'spec.local.path: Required value',
        'spec.nodeAffinity: Required value: Local volume requires node affinity',
      ],
    ],
    [
      'is one',
      { hostPath: { path: '/a' }, nfs: { server: 's', path: '/b' } },
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    ['is there', {}, ['spec: Required value: must specify a volume type']],
  ]);
});
