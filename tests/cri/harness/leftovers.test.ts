// The lane tidies up after itself, and never after another lane that runs on the same machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { detachLeftContainerds, folderPrefix, LANE } from './leftovers.ts';

/** A folder of a lane, and a process whose command names it. */
async function leave(lane: string) {
  process.env[LANE] = lane;
  const folder = join(tmpdir(), `${folderPrefix()}left`);
  await mkdir(folder);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', `${folder}/config.toml`]);
  await once(child, 'spawn');
  return { folder, child };
}

it('what another lane has is left alone', async (t) => {
  const former = process.env[LANE];
  const own = await leave(`own${process.pid}`);
  const other = await leave(`other${process.pid}`);
  t.after(async () => {
    if (former === undefined) delete process.env[LANE];
    else process.env[LANE] = former;
    for (const { folder, child } of [own, other]) {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
  const ended = once(own.child, 'exit');
  process.env[LANE] = `own${process.pid}`;
  assert.deepEqual(await detachLeftContainerds(), [own.folder]);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.equal(other.child.exitCode ?? other.child.signalCode, null, 'it still runs');
  await access(other.folder);
});
