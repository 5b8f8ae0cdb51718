import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isCancelled } from '@windlass/base';
import { type StartClusterOptions, startCluster } from './start-cluster.ts';

describe('a start that is told to stop', () => {
  const STEPS = [
    'starting the controllers',
    'listening',
    'attaching the drives',
    'starting the nodes',
    'formatting the drives',
  ];
  for (const step of STEPS)
    test(`while it is ${step}`, async (context) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'windlass-start-'));
      context.after(() => rm(dataDir, { recursive: true, force: true }));
      const stop = new AbortController();
      const options: StartClusterOptions = {
        dataDir,
        port: 0,
        controllers: ['*'],
        nodes: 3,
        drives: { backend: 'directory', perNode: 1 },
      };
      const steps: string[] = [];
      const starting = startCluster({
        ...options,
        signal: stop.signal,
        onProgress: (name) => {
          steps.push(name);
          if (name === step) stop.abort();
        },
      });
      await assert.rejects(starting, isCancelled);
      assert.ok(steps.includes(step), `it was never ${step}: ${steps.join(', ')}`);
      // Whatever it had open is closed: the next one gets the directory, and everything works.
      await using again = await startCluster(options);
      const { status } = await again.transport().request({ method: 'GET', path: '/readyz' });
      assert.equal(status, 200);
    });
});
