// SIGTERM to `windlass up` with hundreds of nodes while deployments roll out: it ends in time, and what it has
// answered is there at the next start. `WINDLASS_STOP_NODES=1000` takes more nodes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { realClock } from '@windlass/base';
import { createClient, loadConfig } from '@windlass/client';
import { ClusterProcess } from './soak/processes.ts';

const NODES = process.env['WINDLASS_STOP_NODES'] ?? '200';
const WRITERS = 8;
/** Enough that every controller has its hands full, and thousands of events wait. */
const DEPLOYMENTS = 200;
const REPLICAS = 20;
/** What docs/guides/operating.md promises. */
const PROMISED_MS = 10_000;

function deployment(name: string): Deployment {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: {
      replicas: REPLICAS,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      },
    },
  };
}

test(`SIGTERM with ${NODES} nodes under load ends within ten seconds and loses nothing`, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-stop-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const cluster = new ClusterProcess(folder, ['--nodes', NODES, '--drives', '0']);
  await cluster.start();
  context.after(() => cluster.stop('SIGKILL'));
  const config = await loadConfig({ path: cluster.kubeconfig });
  const client = createClient({ config, qps: 10_000, burst: 10_000, maxRetries: 0 });
  const answered: string[] = [];
  const isLoaded = Promise.withResolvers<void>();
  let created = 0;
  const write = async (): Promise<void> => {
    for (;;) {
      const name = `web-${created++}`;
      // It goes on until the server is gone.
      await client.resource(Deployment).namespace('default').create(deployment(name));
      if (answered.push(name) >= DEPLOYMENTS) isLoaded.resolve();
    }
  };
  const writers = Array.from({ length: WRITERS }, () => write().catch(() => {}));
  await Promise.race([isLoaded.promise, Promise.all(writers)]);
  assert.ok(answered.length >= DEPLOYMENTS, `only ${answered.length} deployments were taken`);
  const asked = realClock.monotonic();
  const code = await cluster.stop('SIGTERM');
  const tookMs = realClock.monotonic() - asked;
  await Promise.all(writers);
  await client.close();
  assert.equal(code, 0);
  assert.ok(tookMs < PROMISED_MS, `it took ${Math.round(tookMs)} ms`);
  context.diagnostic(`stopped after ${Math.round(tookMs)} ms`);

  const next = new ClusterProcess(folder, ['--nodes', '0']);
  await next.start();
  context.after(() => next.stop('SIGKILL'));
  const { items } = await next.client.resource(Deployment).namespace('default').list();
  const there = new Set(items.map(({ metadata }) => metadata.name));
  assert.deepEqual(
    answered.filter((name) => !there.has(name)),
    [],
  );
  assert.equal(await next.stop('SIGTERM'), 0);
});
