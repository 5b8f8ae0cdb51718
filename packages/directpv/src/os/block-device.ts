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
  /** Undefined: nothing known was found on it. */
  readonly contents?: DeviceContents;
  /** Why it could not be looked at as a whole. Such a device is never formatted. */
  readonly problem?: string;
}
