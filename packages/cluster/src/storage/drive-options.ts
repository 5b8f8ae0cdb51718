/** Drives of simulated nodes. */
export interface DriveOptions {
  /** How many each node has. @default 4 */
  readonly perNode?: number;
  /** Bytes that volumes may have on each, at least. @default 10 GiB */
  readonly size?: number;
  /**
   * `loop` are files with XFS behind loop devices, which needs root; `directory` are directories, which nothing
   * limits; `auto` takes loop devices where it may.
   * @default 'auto'
   */
  readonly backend?: 'auto' | 'directory' | 'loop';
  /** Whether the drives are formatted at once. Else `directpv discover` and `init` do that. @default true */
  readonly init?: boolean;
}

const GIBIBYTE = 2 ** 30;

/** The defaults of `DriveOptions`. */
export const DEFAULT_DRIVE_OPTIONS = Object.freeze({
  perNode: 4,
  size: 10 * GIBIBYTE,
  backend: 'auto',
  init: true,
} as const satisfies Required<DriveOptions>);

/** Which backend was taken, and why where there was a choice. */
export interface BackendChoice {
  readonly backend: 'directory' | 'loop';
  /** A sentence for people. */
  readonly reason: string;
}
