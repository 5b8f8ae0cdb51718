import type { Cached } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager } from '@windlass/runtime';
import { SidecarError } from '../sidecar/errors.ts';
import { annotation } from '../sidecar/names.ts';
import { DEFAULT_CLASS } from './names.ts';
import { type VolumeSnapshot, VolumeSnapshotClass } from './volume-snapshot.ts';

/** What a snapshot is to be made of, and how. */
export interface SnapshotSource {
  readonly claim: Cached<PersistentVolumeClaim>;
  readonly volume: Cached<PersistentVolume>;
  readonly driver: string;
  readonly handle: string;
}

/** Finds what snapshots are of: the claim, its volume, the class of the volume's driver. */
export class SnapshotSources {
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #classes: KindClient<VolumeSnapshotClass>;

  constructor(manager: Manager) {
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
    this.#classes = manager.objects(VolumeSnapshotClass);
  }

  /** @throws SidecarError that says what is missing */
  async find(snapshot: Cached<VolumeSnapshot>, signal: AbortSignal): Promise<SnapshotSource> {
    const name = snapshot.spec.source.persistentVolumeClaimName ?? '';
    const claim = await this.#claims.find(`${snapshot.metadata.namespace}/${name}`, { signal });
    if (claim === undefined) throw new SidecarError(`claim ${name} is not there`);
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === '' || claim.status?.phase !== 'Bound')
      throw new SidecarError(`claim ${name} has no volume yet`);
    const volume = await this.#volumes.find(volumeName, { signal });
    if (volume === undefined) throw new SidecarError(`volume ${volumeName} of claim ${name} is not there`);
    if (volume.spec?.claimRef?.uid !== claim.metadata.uid)
      throw new SidecarError(`volume ${volumeName} belongs to another claim than ${name}`);
    const csi = volume.spec.csi;
    if (csi === undefined)
      throw new SidecarError(`volume ${volumeName} is not of a CSI driver; only those have snapshots`);
    return { claim, volume, driver: csi.driver, handle: csi.volumeHandle };
  }

  /** The class that a snapshot names, or the default one of its driver. @throws SidecarError */
  async classOf(
    snapshot: Cached<VolumeSnapshot>,
    driver: string,
    signal: AbortSignal,
  ): Promise<Cached<VolumeSnapshotClass>> {
    const named = snapshot.spec.volumeSnapshotClassName;
    if (named !== undefined) {
      const found = await this.#classes.find(named, { signal });
      if (found === undefined) throw new SidecarError(`snapshot class ${named} is not there`);
      if (found.driver === driver) return found;
      throw new SidecarError(`snapshot class ${named} is of driver ${found.driver}, the volume of ${driver}`);
    }
    const defaults = (await this.#classes.list({ signal })).filter(
      (each) => each.driver === driver && annotation(each, DEFAULT_CLASS) === 'true',
    );
    const [only, another] = defaults;
    if (only === undefined)
      throw new SidecarError(
        `driver ${driver} has no default snapshot class; name one in volumeSnapshotClassName`,
      );
    if (another === undefined) return only;
    const names = defaults.map(({ metadata }) => metadata.name).sort();
    throw new SidecarError(
      `driver ${driver} has several default snapshot classes (${names.join(', ')}); keep one`,
    );
  }
}
