// No volume is two claims', and drives know what they have given away.
import assert from 'node:assert/strict';
import type { KubeObject } from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { DirectPVDrive, DirectPVVolume, FakeOperatingSystem, isStaged } from '@windlass/directpv';
import type { State } from '@windlass/simulation';
import { KUBELET, podsAreRight } from './pods.ts';

const DRIVES = ['drive-1', 'drive-2'];

/** A volume is bound to one claim, for ever. */
export async function volumesAreOneClaims(state: State): Promise<string | undefined> {
  const bound = (await state.list(PersistentVolumeClaim)).filter(({ status }) => status?.phase === 'Bound');
  const taken = new Map<string, string>();
  for (const { metadata, spec } of bound) {
    const { volumeName = '' } = spec ?? {};
    const other = taken.get(volumeName);
    if (other !== undefined) return `volume ${volumeName} is bound to ${other} and to ${metadata?.name}`;
    taken.set(volumeName, metadata?.name ?? '');
  }
  return undefined;
}

/** What is given away of a drive is never more than it has. */
export async function drivesAreNotOverfull(state: State): Promise<string | undefined> {
  const volumes = await state.list(DirectPVVolume);
  for (const { status } of await state.list(DirectPVDrive)) {
    const given = sumOf(volumes.filter((volume) => volume.status.fsuuid === status.fsuuid));
    if (given > status.totalCapacity)
      return `of drive ${status.fsuuid} ${given} bytes are given away, and it has ${status.totalCapacity}`;
  }
  return undefined;
}

/** @throws AssertionError with the first thing that is not as it should be */
export async function checkAtRest(state: State): Promise<void> {
  await drivesAreRight(state);
  await claimsAreRight(state);
  await podsAreRight(state);
  await machinesAreRight(state);
}

/** @throws AssertionError with the first thing that is left */
export async function nothingIsLeft(state: State): Promise<void> {
  for (const type of [PersistentVolumeClaim, PersistentVolume, DirectPVVolume])
    assert.deepEqual(
      (await state.list<KubeObject>(type)).map(({ metadata }) => metadata?.name),
      [],
      `${type.plural} are left`,
    );
  await drivesAreRight(state);
  await machinesAreRight(state);
  for (const { metadata } of await state.list(Node)) {
    const os = state.machine(metadata?.name ?? '');
    // Drives are mounted as a whole; what is a part of one is a volume.
    const mounts = ((await os?.mounts()) ?? []).filter(({ root }) => root !== '/');
    assert.deepEqual(mounts, [], `mounts of ${metadata?.name}`);
    assert.ok(os instanceof FakeOperatingSystem);
    for (const drive of DRIVES)
      assert.equal(os.disk(drive).limits.size, 0, `limits of ${drive} of ${metadata?.name}`);
    for (const folder of ['pods', 'plugins/kubernetes.io/csi/directpv-min-io'])
      if ((await os?.entryType(`${KUBELET}/${folder}`)) !== undefined)
        assert.deepEqual(await os?.list(`${KUBELET}/${folder}`), [], `${folder} of ${metadata?.name}`);
  }
}

async function drivesAreRight(state: State): Promise<void> {
  const volumes = await state.list(DirectPVVolume);
  for (const drive of await state.list(DirectPVDrive)) {
    const { status } = drive;
    const { fsuuid, allocatedCapacity, freeCapacity, totalCapacity } = status;
    const waiting = bytesThatWait(state, drive, volumes);
    const own = volumes.filter((volume) => volume.status.fsuuid === fsuuid);
    assert.equal(status.status, 'Ready', `drive ${fsuuid}`);
    assert.equal(
      allocatedCapacity,
      sumOf(own) + waiting,
      `drive ${fsuuid} has allocated what its volumes have`,
    );
    assert.equal(freeCapacity + allocatedCapacity, totalCapacity, `the sums of drive ${fsuuid}`);
  }
}

/** What is set aside for a volume that did not come to be is given back, when it has waited for so long. */
const GIVEN_BACK_MS = 300_000 * 1.1 + 10_000;
const RESERVATIONS = 'directpv.min.io/reservations';

/** Bytes that were set aside for volumes that are not there, a short while ago. */
function bytesThatWait(
  { journal, elapsedMs }: State,
  drive: DirectPVDrive,
  volumes: readonly DirectPVVolume[],
): number {
  const names = new Set(volumes.map((volume) => volume.metadata?.name));
  let bytes = 0;
  for (const [name, reservation] of Object.entries(reservationsOf(drive))) {
    const since = journal.findLast(
      ({ key, object, previous }) =>
        key.endsWith(`/${drive.metadata?.name}`) &&
        name in reservationsOf(object) &&
        !(name in reservationsOf(previous ?? {})),
    )?.atMs;
    if (!names.has(name) && elapsedMs - (since ?? 0) < GIVEN_BACK_MS) bytes += reservation.bytes;
  }
  return bytes;
}

function reservationsOf({ metadata }: KubeObject): Readonly<Record<string, { readonly bytes: number }>> {
  // Our own controller wrote it.
  return JSON.parse(metadata?.annotations?.[RESERVATIONS] ?? '{}') as Record<string, { bytes: number }>;
}

async function claimsAreRight(state: State): Promise<void> {
  for (const { metadata, spec, status } of await state.list(PersistentVolumeClaim)) {
    if (status?.phase !== 'Bound') continue;
    const volume = await state.find(PersistentVolume, spec?.volumeName ?? '');
    assert.equal(volume?.spec?.claimRef?.uid, metadata?.uid, `the volume of ${metadata?.name} is another's`);
    assert.equal(volume?.status?.phase, 'Bound', `the volume of ${metadata?.name}`);
    const own = await state.find(DirectPVVolume, volume?.spec?.csi?.volumeHandle ?? '');
    assert.ok(own !== undefined, `the volume of ${metadata?.name} is not on a drive`);
  }
}

/** What is mounted for pods is mounted for pods that are there; each volume has a folder of its own. */
async function machinesAreRight(state: State): Promise<void> {
  const uids = new Set((await state.list(Pod)).map(({ metadata }) => metadata?.uid ?? ''));
  const volumes = await state.list(DirectPVVolume);
  const drives = await state.list(DirectPVDrive);
  for (const { metadata } of await state.list(Node)) {
    const name = metadata?.name ?? '';
    const os = state.machine(name);
    for (const { mountPoint } of (await os?.mounts()) ?? []) {
      const [, uid] = /\/pods\/([^/]+)\//.exec(mountPoint) ?? [];
      if (uid !== undefined) assert.ok(uids.has(uid), `${mountPoint} of ${name} is left`);
    }
    for (const drive of drives.filter((each) => each.metadata?.labels?.['directpv.min.io/node'] === name)) {
      const { fsuuid } = drive.status;
      const folder = `/var/lib/directpv/mnt/${fsuuid}`;
      const there = ((await os?.list(folder)) ?? []).filter((each) => !each.startsWith('.'));
      const own = volumes.filter(({ status }) => status.fsuuid === fsuuid);
      const known = new Set(own.map((volume) => volume.metadata?.name ?? ''));
      for (const each of there) assert.ok(known.has(each), `${folder}/${each} of ${name} is nobody's`);
      for (const volume of own.filter(isStaged))
        assert.equal(await os?.entryType(volume.status.dataPath), 'directory', volume.status.dataPath);
    }
  }
  const paths = volumes.map(({ status }) => status.dataPath).filter((path) => path !== '');
  assert.equal(new Set(paths).size, paths.length, 'a folder is two volumes');
}

function sumOf(volumes: readonly DirectPVVolume[]): number {
  return volumes.reduce((sum, { status }) => sum + status.totalCapacity, 0);
}
