import { mkdir } from 'node:fs/promises';
import { runExample } from '../run.ts';
import { registerBackupController } from './controller.ts';

const folder = process.env['BACKUP_FOLDER'] ?? 'backups';
await runExample('backup', async (manager) => {
  await mkdir(folder, { recursive: true });
  return registerBackupController(manager, folder);
});
