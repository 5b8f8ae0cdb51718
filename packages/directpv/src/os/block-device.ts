/** What a probe has found on a device, from its first and last sectors. */
export interface DeviceContents {
  /** As blkid names it: `xfs`, `ext4`, `swap`, `LVM2_member`, `crypto_LUKS`, `linux_raid_member`, `gpt`, `dos`. */
  readonly fsType: string;
  /** Empty where the contents have none. */
  readonly fsuuid: string;
  readonly label: string;
  /** Of XFS only: bytes for data, and those of them that are free. */
  readonly totalBytes?: number;
  readonly freeBytes?: number;
  /** Of XFS only: how far apart its superblocks are. There is one at the start of each allocation group. */
  readonly groupBytes?: number;
  /** Of XFS only: the UUID that it was made with, where it was given another one since. */
  readonly madeAs?: string;
}

/**
 * What stays the same about a device while its name, its number and its contents change. Each is absent where the
 * machine does not say; two devices that share none of them cannot be told apart by them.
 */
export interface DeviceIdentity {
  /** World wide name: of the disk, or of the namespace. */
  readonly wwid?: string;
  /** Of the disk, also for its partitions. */
  readonly serial?: string;
  /** Of a partition: its UUID in the table, or `#` and its number where that is not known. */
  readonly partition?: string;
  /** Of the device mapper or of RAID. */
  readonly mapper?: string;
  /** The file behind a loop device. */
  readonly backing?: string;
}

/** A block device as the kernel shows it, and what was found on it. */
export interface BlockDevice {
  /** The kernel's name, without `/dev/`: `sdb`, `nvme0n1`, `loop3`. */
  readonly name: string;
  /** `8:16` */
  readonly majorMinor: string;
  /** Where it can be opened. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** For people: mapper name, vendor, model, part. */
  readonly make: string;
  readonly hidden: boolean;
  readonly removable: boolean;
  readonly readOnly: boolean;
  /** Whether it has partitions. */
  readonly partitioned: boolean;
  /** Names of devices that are built on it: device mapper, RAID. */
  readonly holders: readonly string[];
  /** Where it is mounted, in any namespace that can be seen. */
  readonly mountPoints: readonly string[];
  readonly swapOn: boolean;
  readonly cdrom: boolean;
  /** Empty where it is none of the device mapper's. */
  readonly dmName: string;
  /** `E:ID_VENDOR` and the like; empty where there is no udev. */
  readonly udevData: Readonly<Record<string, string>>;
  /** The kernel says that something has it open for itself. @default false */
  readonly busy?: boolean;
  /** @default the machine says nothing of it */
  readonly identity?: DeviceIdentity;
  /** Undefined: nothing known is at its beginning. That does not mean that it is empty: see `traces`. */
  readonly contents?: DeviceContents;
  /**
   * What else was found, away from the beginning: copies that XFS, ZFS, GPT and others keep of what stands there. They
   * are looked for where the beginning is not that of a sound XFS. @default none
   */
  readonly traces?: readonly DeviceContents[];
  /** Why it could not be looked at as a whole. Such a device is never formatted. */
  readonly problem?: string;
}
