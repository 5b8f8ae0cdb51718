import { PATHS } from '../resources/index.ts';

/** Where things are on a node's disks; the same as DirectPV has it, so that either finds what the other made. */
export interface Layout {
  readonly root: string;
  /** Where drives are mounted. */
  readonly mounts: string;
  /** The empty file system that suspended volumes show. */
  readonly empty: string;
  readonly mountPath: (fsuuid: string) => string;
  /**
   * A link to `.` on the drive's own file system. Whatever is reached through it is on that drive: where the drive
   * is not mounted there is no link, and nothing is written to the machine's own disk.
   */
  readonly sentinel: (fsuuid: string) => string;
  /** A volume's directory, through the sentinel. */
  readonly dataPath: (fsuuid: string, volume: string) => string;
}

/** @param root `/var/lib/directpv` unless told */
export function layoutOf(root: string = PATHS.root): Layout {
  const mounts = `${root}/mnt`;
  const mountPath = (fsuuid: string): string => `${mounts}/${fsuuid}`;
  const sentinel = (fsuuid: string): string => `${mountPath(fsuuid)}/.FSUUID.${fsuuid}`;
  return {
    root,
    mounts,
    empty: `${root}/tmp`,
    mountPath,
    sentinel,
    dataPath: (fsuuid, volume) => `${sentinel(fsuuid)}/${volume}`,
  };
}
