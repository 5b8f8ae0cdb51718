import { ChangeFeed } from './change-feed.ts';
import { FakeDisk, type FakeDiskOptions } from './fake-disk.ts';
import { fault } from './fake-file-tree.ts';
import type { DeviceChange } from './operating-system.ts';

/** The disks of a fake machine, and what is told of them as they come and go. */
export class FakeDisks {
  readonly changes = new ChangeFeed<DeviceChange>((change) => change.name);
  readonly #disks = new Map<string, FakeDisk>();
  #lastMinor = 0;

  plug(name: string, options: FakeDiskOptions = {}): FakeDisk {
    let disk = this.#disks.get(name);
    if (disk === undefined) {
      disk = new FakeDisk(name, `259:${this.#lastMinor++}`, options);
      this.#disks.set(name, disk);
    } else {
      // The kernel counts on: what was mounted before still means the device that is gone.
      disk.majorMinor = `259:${this.#lastMinor++}`;
      disk.isPlugged = true;
    }
    this.changes.push({ action: 'add', name });
    return disk;
  }

  /** @returns what the kernel leaves of a device that went while it was mounted */
  unplug(name: string): FakeDisk {
    this.get(name).isPlugged = false;
    this.changes.push({ action: 'remove', name });
    const gone = new FakeDisk(name, '259:9999', {});
    gone.isBroken = true;
    return gone;
  }

  resize(name: string, size: number): void {
    this.get(name).size = size;
    this.changes.push({ action: 'change', name });
  }

  /** One that the machine has had, plugged in or not. */
  get(name: string): FakeDisk {
    const disk = this.#disks.get(name);
    if (disk === undefined) throw fault('ENODEV', name);
    return disk;
  }

  /** @throws ENOENT, and EIO for a disk that is broken */
  plugged(name: string, { evenBroken = false } = {}): FakeDisk {
    const disk = this.#disks.get(name);
    if (disk === undefined || !disk.isPlugged) throw fault('ENOENT', `/dev/${name}`);
    if (disk.isBroken && !evenBroken) throw fault('EIO', `/dev/${name}`);
    return disk;
  }

  /** Those that are plugged in, by name. */
  list(): FakeDisk[] {
    return [...this.#disks.values()]
      .filter(({ isPlugged }) => isPlugged)
      .toSorted((one, other) => one.name.localeCompare(other.name));
  }
}
