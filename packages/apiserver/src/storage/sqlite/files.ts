import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { makeDirectorySync } from '@windlass/base';

/**
 * Makes the directory, and an empty database in it, for their owner only: they hold the cluster's secrets.
 * SQLite gives its other files the rights of the database.
 *
 * A database that is there is not so much as opened: a process that closes any descriptor of a file loses
 * its locks on it, and with them those of a store that it has open.
 */
export function createPrivately(directory: string, databasePath: string): void {
  makeDirectorySync(directory, { mode: 0o700 });
  try {
    closeSync(openSync(databasePath, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Holds on to the write-ahead log of a database that was not closed. SQLite reads as much of it as is
 * intact and then deletes it; should that be too little, this is all there is to recover from. True if it
 * was there and is kept now.
 */
export function keepWal(databasePath: string): boolean {
  const wal = `${databasePath}-wal`;
  const kept = keptWal(databasePath);
  // One that is there already is from a start that failed, and has more in it.
  if (!existsSync(wal) || existsSync(kept)) return false;
  try {
    linkSync(wal, kept);
    return true;
  } catch {
    // No links on this file system, or another process has just closed the database: go on without.
    return false;
  }
}

/** The database has turned out to be whole. */
export function forgetKeptWal(databasePath: string): void {
  rmSync(keptWal(databasePath), { force: true });
}

function keptWal(databasePath: string): string {
  return `${databasePath}-wal.kept`;
}

/** Whether there is room for so many bytes: throws what the disk says when there is not. */
export function writeAndRemove(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(path, { force: true });
  }
}

/** Makes new files in the directory durable, where directories can be synced. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
