import type { Clock } from '@windlass/base';
import type { BlockDevice, OperatingSystem } from '../os/index.ts';

const FRESH_MS = 2_000;

/** The devices, looked at once for all who ask at about the same time. */
export class DeviceInventory {
  readonly #os: OperatingSystem;
  readonly #clock: Clock;
  readonly #hints: () => readonly number[];
  #seen: { readonly at: number; readonly devices: Promise<readonly BlockDevice[]> } | undefined = undefined;

  /** @param hints how far apart superblocks of the node's drives are */
  constructor(os: OperatingSystem, clock: Clock, hints: () => readonly number[] = () => []) {
    this.#os = os;
    this.#clock = clock;
    this.#hints = hints;
  }

  /** At most two seconds old, and never from before the last `forget`. */
  devices(): Promise<readonly BlockDevice[]> {
    const now = this.#clock.monotonic();
    if (this.#seen !== undefined && now - this.#seen.at <= FRESH_MS) return this.#seen.devices;
    const devices = this.#os.devices({ groupBytes: this.#hints() });
    const seen = { at: now, devices };
    this.#seen = seen;
    devices.catch(() => {
      if (this.#seen === seen) this.#seen = undefined;
    });
    return devices;
  }

  forget(): void {
    this.#seen = undefined;
  }

  /** The devices that carry a drive's file system. Members of others are left out: they show what is on the whole. */
  async withFileSystem(fsuuid: string): Promise<readonly BlockDevice[]> {
    return (await this.devices()).filter(
      ({ contents, hidden, holders, partitioned, swapOn, cdrom }) =>
        contents?.fsType === 'xfs' &&
        contents.fsuuid === fsuuid &&
        !hidden &&
        !partitioned &&
        !swapOn &&
        !cdrom &&
        holders.length === 0,
    );
  }
}
