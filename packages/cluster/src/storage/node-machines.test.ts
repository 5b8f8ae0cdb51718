import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger, type LogRecord } from '@windlass/base';
import { startCluster } from '../start-cluster.ts';
import { loopObstacle } from './loop-devices.ts';

const obstacle = await loopObstacle();

/** The files behind loop devices, as the kernel has them. */
async function backingFiles(): Promise<string[]> {
  const devices = (await readdir('/sys/block')).filter((name) => name.startsWith('loop'));
  const files = devices.map((name) =>
    readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => ''),
  );
  return Promise.all(files);
}

test('a stop in the middle of formatting leaves nothing mounted and nothing attached', {
  skip: obstacle !== undefined && `no loop devices here: ${obstacle}`,
}, async (context) => {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'windlass-loop-')));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  const isOurs = (text: string): boolean => text.includes(dataDir);
  for (let start = 0; start < 2; start++) {
    const records: LogRecord[] = [];
    const logger = createLogger((record) => void records.push(record), 'error');
    const drives = { backend: 'loop', perNode: 2, size: 512 * 2 ** 20 } as const;
    const cluster = await startCluster({ dataDir, nodes: 3, controllers: ['*'], drives, logger });
    assert.equal((await backingFiles()).filter(isOurs).length, 6);
    await cluster.stop();
    assert.deepEqual(readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter(isOurs), []);
    assert.deepEqual((await backingFiles()).filter(isOurs), []);
    assert.deepEqual(
      records.filter(({ message }) => message.includes('while it was stopped')),
      [],
    );
  }
});
