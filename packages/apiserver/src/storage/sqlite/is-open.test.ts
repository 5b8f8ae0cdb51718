import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openSqliteStore } from './sqlite-store.ts';

const IS_OPEN = new URL('./is-open.ts', import.meta.url).href;

/** Asked by another process: within one, the locks of SQLite hold nobody up. */
async function isOpenElsewhere(directory: string): Promise<boolean> {
  const program = `const { isStoreOpen } = await import(${JSON.stringify(IS_OPEN)});
    console.log(isStoreOpen(${JSON.stringify(directory)}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trim() === 'true';
}

test('a store is open from its opening to its closing', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'windlass-is-open-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  assert.equal(await isOpenElsewhere(directory), false, 'there is none');
  const store = await openSqliteStore(directory);
  await store.put('/core/pods/default/web', {}, 0);
  assert.equal(await isOpenElsewhere(directory), true);
  await store.close();
  assert.equal(await isOpenElsewhere(directory), false);
  await writeFile(join(directory, 'state.db'), 'something else');
  assert.equal(await isOpenElsewhere(directory), false, 'it is damaged');
});
