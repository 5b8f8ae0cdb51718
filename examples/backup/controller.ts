import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTime, parseTime } from '@windlass/apimachinery';
import type { Controller, Manager } from '@windlass/runtime';
import { Backup } from './backup.ts';
import { takeSnapshot } from './snapshot.ts';

/** Takes snapshots when they are due, and keeps as many as each Backup says. */
export function registerBackupController(manager: Manager, folder: string): Controller {
  const backups = manager.objects(Backup);
  return manager
    .controller('backup')
    .for(Backup)
    .reconcile(async (key, { signal, recorder }) => {
      const backup = await backups.find(key, { signal });
      if (backup === undefined) return undefined;
      const { everySeconds, keep } = backup.spec;
      const now = manager.clock.now();
      const lastTime = backup.status?.lastTime;
      const dueIn = lastTime === undefined ? 0 : parseTime(lastTime) + everySeconds * 1000 - now;
      // Whatever else woke us, there is nothing to do before its time.
      if (dueIn > 0) return { requeueAfterMs: dueIn };

      const file = `${key}-${formatTime(now).replaceAll(':', '-')}.jsonl`;
      const snapshot = await takeSnapshot(manager.client, join(folder, file), signal);
      const all = [...(backup.status?.snapshots ?? []), { file, ...snapshot }];
      const kept = all.slice(-keep);
      await backups.status.patch(key, { status: { lastTime: formatTime(now), snapshots: kept } }, { signal });
      recorder.normal(backup, 'SnapshotTaken', `${snapshot.objects} objects in ${file}`);
      // Only now: what the status names is there.
      for (const { file: old } of all.slice(0, -keep)) await rm(join(folder, old), { force: true });
      return { requeueAfterMs: everySeconds * 1000 };
    });
}
