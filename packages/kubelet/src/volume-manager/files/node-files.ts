import type { Payload } from '../pod-local/payload.ts';

/** To whom the files of a volume are given. */
export interface FsGroup {
  readonly group: number;
  /** Nothing is done when the top folder is right already: large volumes take long. */
  readonly onRootMismatch: boolean;
  /** The group may read what is there, and change nothing. @default false */
  readonly isReadOnly?: boolean;
}

/** How much a folder in memory may hold. */
export interface MemorySize {
  /** Undefined: what the kernel allows, half of the memory. */
  readonly bytes: number | undefined;
}

/**
 * The file system that a node's folder is in: the machine's, or one in memory, whose mounts the node's drivers share.
 * Folders are only ever removed when they are empty: what a driver mounts in one may be somebody's data.
 */
export interface NodeFiles {
  /** With all above it that are missing. */
  makeFolder(path: string, mode: number): Promise<void>;
  /** No error when it is not there. @throws when there is something in it, or mounted on it */
  removeFolder(path: string): Promise<void>;
  /** No error when it is not there. */
  removeFile(path: string): Promise<void>;
  /** A folder of the node's own, with all that is in it. */
  removeTree(path: string): Promise<void>;
  /** Nothing when there is no such folder. In the order of their names. */
  foldersIn(path: string): Promise<string[]>;
  exists(path: string): Promise<boolean>;
  /** Undefined when there is no such file. @throws when it cannot be read */
  readText(path: string): Promise<string | undefined>;
  /** Never half a file, whenever the process ends: what is half stands in `PATH.new`. */
  replaceText(path: string, text: string): Promise<void>;
  /** A link, with the folders above it; one that is there stays. */
  link(target: string, path: string): Promise<void>;
  /**
   * Writes files so that a reader never sees some of the old and some of the new.
   * @param version names the new state; one that was not used before
   * @returns whether anything was new
   */
  writePayload(directory: string, payload: Payload, version: string): Promise<boolean>;
  /** Gives everything in a folder to a group, and keeps new files in it. */
  giveToGroup(path: string, group: FsGroup): Promise<void>;
  /** Makes a folder whose files are in memory; one that is there stays. Undefined: it cannot be had. */
  readonly mountMemory?: (path: string, size: MemorySize) => Promise<void>;
  /** Ends it. No error when it is not there. */
  readonly unmountMemory?: (path: string) => Promise<void>;
}

/** The code of an error of the system: `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** @returns whether it is gone */
export async function removeFolderIfEmpty(files: NodeFiles, path: string): Promise<boolean> {
  try {
    await files.removeFolder(path);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
