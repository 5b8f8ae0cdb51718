import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MountEntry } from '@windlass/directpv';
import type { LoopDevice } from './kernel-state.ts';
import { planRelease } from './plan-release.ts';

const HOME = '/data/dev';
const DOOMED = [`${HOME}/state`, `${HOME}/nodes`, `${HOME}/in-memory`];
const NODES = [`${HOME}/nodes`, `${HOME}/in-memory/nodes`];

let mountIds = 0;
const mount = (mountPoint: string, majorMinor: string, fsType = 'xfs'): MountEntry => ({
  mountId: ++mountIds,
  majorMinor,
  root: '/',
  mountPoint,
  fsType,
  source: fsType,
  readOnly: false,
  options: [],
  superOptions: [],
});
const loop = (number: number, file: string): LoopDevice => ({
  name: `loop${number}`,
  majorMinor: `7:${number}`,
  file,
  goesByItself: false,
});

const drive = loop(1, `${HOME}/nodes/node-1/drives/drive-1.img`);
const inMemory = loop(2, `${HOME}/in-memory/nodes/node-1/drives/drive-4.img`);
const others = [
  loop(3, '/data/development/nodes/node-1/drives/drive-1.img'),
  loop(4, '/var/lib/snapd/snaps/core.snap'),
  loop(5, `${HOME}/my-disk.img`),
  loop(6, `${HOME}/nodes/node-1/pods/my-disk.img`),
];

const rows: [what: string, mounts: MountEntry[], plan: Partial<ReturnType<typeof planRelease>>][] = [
  ['devices without mounts', [], {}],
  [
    'a drive, a volume of it in a pod, and the file system of a driver: the last first',
    [
      mount(`${HOME}/nodes/node-1/directpv/tmp`, '0:40', 'tmpfs'),
      mount(`${HOME}/nodes/node-1/directpv/mnt/uuid`, '7:1'),
      mount(`${HOME}/nodes/node-1/pods/one/volumes/mount`, '7:1'),
      mount(`${HOME}/nodes/node-1/pods/two/volumes/mount`, '0:40', 'tmpfs'),
    ],
    {
      unmount: [
        `${HOME}/nodes/node-1/pods/two/volumes/mount`,
        `${HOME}/nodes/node-1/pods/one/volumes/mount`,
        `${HOME}/nodes/node-1/directpv/mnt/uuid`,
        `${HOME}/nodes/node-1/directpv/tmp`,
      ],
    },
  ],
  [
    'mounts of somebody else below the folder are named and stay',
    [
      mount(`${HOME}/nodes/node-1/backup`, '8:1', 'ext4'),
      mount(`${HOME}/nodes/node-1/scratch`, '0:99', 'tmpfs'),
      mount(`${HOME}/state`, '8:2', 'ext4'),
    ],
    { foreign: [`${HOME}/nodes/node-1/backup`, `${HOME}/nodes/node-1/scratch`, `${HOME}/state`] },
  ],
  [
    'mounts elsewhere stay, also of our own drive, and the data directory itself may be one',
    [
      mount('/', '8:1', 'ext4'),
      mount(HOME, '8:2', 'ext4'),
      mount('/mnt/look', '7:1'),
      mount(`${HOME}/look`, '7:1'),
      mount(`${HOME}/nodes-of-mine`, '8:3'),
      mount('/data/development/nodes/node-1/directpv/mnt/uuid', '7:3'),
      mount('/data/development/nodes/node-1/directpv/tmp', '0:41', 'tmpfs'),
    ],
    {},
  ],
  [
    'our own drive where no node is was mounted by somebody else',
    [mount(`${HOME}/in-memory/look`, '7:1')],
    { foreign: [`${HOME}/in-memory/look`] },
  ],
];

for (const [what, mounts, plan] of rows)
  test(what, () => {
    assert.deepEqual(planRelease(DOOMED, NODES, { mounts, loopDevices: [...others, drive, inMemory] }), {
      unmount: [],
      detach: [drive, inMemory],
      foreign: [],
      ...plan,
    });
  });
