import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './failures.ts';

/** Whether some process has the store in a directory open, as the lock of the database says. Changes nothing. */
export function isStoreOpen(directory: string): boolean {
  const path = join(directory, 'state.db');
  if (!existsSync(path)) return false;
  try {
    const database = new DatabaseSync(path, { timeout: 0, readOnly: true });
    try {
      database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
    } finally {
      database.close();
    }
    return false;
  } catch (error) {
    // One that cannot be read for another reason is open in nobody.
    return isBusy(error);
  }
}
