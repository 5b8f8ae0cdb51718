import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCluster } from '@windlass/cluster';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

const never = new AbortController().signal;

test('a reset asks, and deletes only after a yes', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-ask-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  await (await startCluster({ dataDir })).stop();
  for (const [answer, code] of [
    ['', 1],
    ['no', 1],
    ['yellow', 1],
    ['y', 0],
  ] as const) {
    const terminal = new RecordingTerminal({ answers: [answer] });
    assert.equal(await main(['reset', '--data-dir', dataDir], terminal, never), code, answer);
    assert.deepEqual(terminal.questions, [`Delete the cluster in ${dataDir} for good? [y/N] `]);
    assert.equal(existsSync(dataDir), code === 1, answer);
    assert.equal(terminal.errors, code === 1 ? 'nothing was deleted\n' : '');
  }
});
