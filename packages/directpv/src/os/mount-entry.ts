/** One line of the mount table. */
export interface MountEntry {
  /** Rises in the order of mounting on Linux; of two at one path the later hides the earlier. */
  readonly mountId: number;
  /** Of the device below. With `root` it says exactly what is mounted. */
  readonly majorMinor: string;
  /** The directory inside the file system that is mounted: `/` for a drive, `/pvc-1` for a volume of it. */
  readonly root: string;
  readonly mountPoint: string;
  readonly fsType: string;
  /** What was given as the source; for people only, it does not identify anything. */
  readonly source: string;
  /** Of this mount. A bind mount may be read-only where its file system is not. */
  readonly readOnly: boolean;
  /** Of this mount: `noatime`, `nosuid`. */
  readonly options: readonly string[];
  /** Of the file system: `prjquota`, `rw`. */
  readonly superOptions: readonly string[];
}

/** What is seen at a path: the last mount there, undefined where nothing is mounted. */
export function mountAt(mounts: readonly MountEntry[], path: string): MountEntry | undefined {
  return mounts.findLast((mount) => mount.mountPoint === path);
}

/** Whether two mounts show the same directory of the same file system. */
export function showsSame(
  one: Pick<MountEntry, 'majorMinor' | 'root'>,
  other: Pick<MountEntry, 'majorMinor' | 'root'>,
): boolean {
  return one.majorMinor === other.majorMinor && one.root === other.root;
}
