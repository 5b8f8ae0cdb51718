// SIGTERM to `windlass up` while its drives are formatted and mounted: it ends without a complaint, and leaves no device.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realClock, sleep } from '@windlass/base';
import { ClusterProcess } from '../soak/processes.ts';
import { loopsIn } from './machine.ts';

/** After it is ready: before the first drive is formatted, among them, and after the last. */
const MOMENTS_MS = [0, 50, 200, 500, 1000, 3000];
/** Said of the kernel, when the first drive is mounted. */
const NO_QUOTAS = /"msg":"drives are mounted without quotas/;

for (const moment of MOMENTS_MS)
  test(`a stop ${moment} ms after the start leaves neither a complaint nor a device`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-stop-'));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const cluster = new ClusterProcess(folder, ['--drive-backend', 'loop']);
    await cluster.start();
    context.after(() => cluster.stop('SIGKILL'));
    await sleep(realClock, moment);
    assert.equal(await cluster.stop('SIGTERM'), 0);
    const log = await readFile(join(folder, 'log'), 'utf8');
    assert.deepEqual(
      log.split('\n').filter((line) => line !== '' && !NO_QUOTAS.test(line)),
      [],
    );
    assert.deepEqual(await loopsIn(folder), []);
  });
