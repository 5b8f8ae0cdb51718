// Managers: the order of starting and stopping, failures, endpoints, sources, bad input.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyOf } from '@windlass/apimachinery';
import { ConfigMap, Pod, Secret } from '@windlass/apimachinery/api/core/v1';
import { createLogger, memoryWriter, nextTurn } from '@windlass/base';
import { startTestCluster } from '@windlass/cluster/testing';
import { toItself } from '../mapping.ts';
import { generationChanged, labelsMatch } from '../predicates.ts';
import type { GroupName, Runnable, RunnableContext } from '../runnable.ts';
import { kindSource } from '../sources/kind-source.ts';

const map = (name: string, more: Partial<ConfigMap> = {}): ConfigMap => ({
  ...more,
  metadata: { name, namespace: 'default', ...more.metadata },
});

describe('the order', () => {
  const traced = (
    log: string[],
    name: string,
    isReadyAfter: Promise<void> = Promise.resolve(),
  ): Runnable => ({
    name,
    signalsReady: true,
    async run({ signal, ready }: RunnableContext) {
      log.push(`start ${name}`);
      await isReadyAfter;
      ready();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      log.push(`stop ${name}`);
    },
  });
  const groups: readonly GroupName[] = ['leader', 'warmup', 'always', 'caches', 'webhooks', 'servers'];

  it('of start and stop is that of the groups, whatever the order of adding', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const log: string[] = [];
    for (const group of groups) await manager.add(traced(log, group), group);
    const gate = Promise.withResolvers<void>();
    await manager.add(traced(log, 'slow webhook', gate.promise), 'webhooks');
    const started = manager.start();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.deepEqual(
      log,
      ['start servers', 'start webhooks', 'start slow webhook'],
      'caches wait for webhooks',
    );
    gate.resolve();
    await started;
    assert.deepEqual(log.slice(3), ['start caches', 'start always', 'start warmup', 'start leader']);
    await manager.add(traced(log, 'late'), 'always');
    assert.equal(log.at(-1), 'start late');
    log.length = 0;
    const stopping = manager.stop();
    await cluster.clock.advance(0);
    await stopping;
    assert.deepEqual(log, [
      'stop always',
      'stop late',
      'stop warmup',
      'stop leader',
      'stop caches',
      'stop webhooks',
      'stop slow webhook',
      'stop servers',
    ]);
    await assert.rejects(manager.add(traced(log, 'too late')), { code: 'LIFECYCLE' });
    await assert.rejects(manager.start(), { code: 'LIFECYCLE' });
  });

  it('a part that fails stops the rest, and its error comes out', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    await manager.add(traced(log, 'good'), 'always');
    await manager.add({ name: 'bad', run: () => gate.promise }, 'leader');
    const running = manager.run(new AbortController().signal);
    const failed = assert.rejects(running, { message: 'out of order' });
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    gate.reject(new Error('out of order'));
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    await cluster.clock.advance(30_000);
    await failed;
    assert.deepEqual(log, ['start good', 'stop good']);
  });

  it('a stop waits for as long as it was told, names who is late, and ends', async () => {
    await using cluster = await startTestCluster();
    const writer = memoryWriter();
    const { manager } = cluster.manager({ gracefulStopMs: 5000, logger: createLogger(writer) });
    let sawDeadline = false;
    await manager.add(
      {
        name: 'deaf',
        run: ({ deadline }) =>
          new Promise(() => {
            deadline.addEventListener('abort', () => {
              sawDeadline = true;
            });
          }),
      },
      'always',
    );
    await manager.start();
    let isStopped = false;
    const stopping = manager.stop().then(() => {
      isStopped = true;
    });
    await cluster.clock.advance(4999);
    assert.equal(isStopped, false);
    await cluster.clock.advance(1);
    await stopping;
    assert.equal(sawDeadline, true);
    assert.ok(
      writer.records.some(({ fields }) => JSON.stringify(fields) === '{"group":"always","late":["deaf"]}'),
      JSON.stringify(writer.records),
    );
  });

  it('a signal ends a run', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.equal(manager.lifecycle, 'running');
    stop.abort();
    await cluster.clock.advance(0);
    await running;
    assert.equal(manager.lifecycle, 'stopped');
  });
});

describe('endpoints', () => {
  it('serve health, readiness and metrics by the known names', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager({
      metricsAddress: '127.0.0.1:0',
      healthAddress: '0',
      gracefulStopMs: 100,
    });
    manager
      .controller('maps')
      .for(ConfigMap)
      .reconcile((key) => {
        if (key === 'default/bad') throw new Error('bad');
      });
    let isWell = true;
    manager.addHealthCheck('disk', () => {
      if (!isWell) throw new Error('full');
    });
    manager.addReadinessCheck('late', () => Promise.resolve());
    await cluster.client.resource(ConfigMap).namespace('default').create(map('bad'));
    await manager.start();
    await cluster.settled();
    const get = async (port: number | undefined, path: string): Promise<readonly [number, string]> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.text()];
    };
    const { health, metrics } = manager.ports;
    assert.deepEqual(await get(health, '/healthz'), [200, 'ok']);
    assert.deepEqual(await get(health, '/healthz?verbose'), [
      200,
      '[+]disk ok\n[+]ping ok\nhealthz check passed\n',
    ]);
    isWell = false;
    assert.deepEqual(await get(health, '/healthz'), [
      500,
      '[-]disk failed: reason withheld\n[+]ping ok\nhealthz check failed\n',
    ]);
    assert.deepEqual(await get(health, '/healthz?exclude=disk'), [200, 'ok']);
    assert.deepEqual(await get(health, '/healthz/ping'), [200, 'ok']);
    assert.equal((await get(health, '/healthz/disk'))[0], 500);
    assert.equal((await get(health, '/healthz/nothing'))[0], 404);
    assert.deepEqual(await get(health, '/readyz'), [200, 'ok']);
    assert.equal((await get(health, '/metrics'))[0], 404);
    const [status, text] = await get(metrics, '/metrics');
    assert.equal(status, 200);
    for (const name of [
      'controller_runtime_reconcile_total{controller="maps",result="error"} 1',
      'controller_runtime_reconcile_errors_total{controller="maps"} 1',
      'controller_runtime_terminal_reconcile_errors_total{controller="maps"} 0',
      'controller_runtime_reconcile_panics_total{controller="maps"} 0',
      'controller_runtime_reconcile_timeouts_total{controller="maps"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="maps"}',
      'controller_runtime_max_concurrent_reconciles{controller="maps"} 1',
      'controller_runtime_active_workers{controller="maps"} 0',
      'workqueue_depth{name="maps"} 0',
      'workqueue_adds_total{name="maps"}',
      'workqueue_retries_total{name="maps"} 1',
      'workqueue_queue_duration_seconds_count{name="maps"}',
      'workqueue_work_duration_seconds_count{name="maps"}',
      'workqueue_unfinished_work_seconds{name="maps"} 0',
      'workqueue_longest_running_processor_seconds{name="maps"} 0',
      'rest_client_requests_total{code="200",host="in-process",method="GET"}',
      '# TYPE rest_client_request_duration_seconds histogram',
    ])
      assert.ok(text.includes(name), `${name} is not in\n${text}`);
  });

  it('on one address, all of them; one that is taken is named', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager({ metricsAddress: '0', healthAddress: '0', gracefulStopMs: 100 });
    await manager.start();
    const { metrics, health } = manager.ports;
    assert.equal(metrics, health);
    const second = cluster.manager({ metricsAddress: `127.0.0.1:${metrics}` });
    await assert.rejects(second.manager.start(), {
      code: 'LISTEN_FAILED',
      message: new RegExp(`metrics server cannot listen on 127.0.0.1:${metrics}: .*EADDRINUSE`),
    });
    assert.throws(
      () => cluster.manager({ metricsAddress: 'nonsense' }),
      /metricsAddress must be an address such as/,
    );
  });
});

describe('sources', () => {
  it('predicates and filters keep events from becoming runs', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const seen: string[] = [];
    manager
      .controller('pods')
      .for(Pod, { predicates: [generationChanged] })
      .filter(labelsMatch('app=web'))
      .reconcile(
        (key, { reasons }) => void seen.push(`${key} ${reasons.kept.map(({ type }) => type).join()}`),
      );
    await manager.start();
    const pods = cluster.client.resource(Pod).namespace('default');
    const pod = (name: string, app: string): Pod => ({
      metadata: { name, labels: { app } },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    });
    await pods.create(pod('a', 'web'));
    await pods.create(pod('b', 'db'));
    await cluster.settled();
    assert.deepEqual(seen, ['default/a add']);
    await pods.status.patch('a', { status: { phase: 'Running' } });
    await cluster.settled();
    assert.deepEqual(seen, ['default/a add'], 'a status is no new generation');
    await pods.delete('a', { gracePeriodSeconds: 0 });
    await cluster.settled();
    assert.equal(seen.at(-1), 'default/a delete');
  });

  it('an object that moves from one owner to another concerns both', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const seen: string[] = [];
    manager
      .controller('groups')
      .watches(ConfigMap, ({ data }) => (data?.['group'] === undefined ? [] : [data['group']]))
      .reconcile((key) => void seen.push(key));
    await manager.start();
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    await maps.create(map('a', { data: { group: 'red' } }));
    await cluster.settled();
    await maps.patch('a', { data: { group: 'blue' } });
    await cluster.settled();
    assert.deepEqual(seen.sort(), ['blue', 'red', 'red']);
  });

  it('what was there at the start and reminders wait behind live events', async () => {
    await using cluster = await startTestCluster();
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    for (const name of ['old-1', 'old-2', 'old-3'])
      await maps.create(map(name, { metadata: { labels: { own: '' } } }));
    const { manager } = cluster.manager();
    const seen: string[] = [];
    let gate = Promise.withResolvers<void>();
    manager
      .controller('maps')
      .for(ConfigMap, { labelSelector: 'own', resyncMs: 60_000 })
      .reconcile(async (key, { reasons, priority }) => {
        seen.push(`${key.slice(8)} ${reasons.kept[0]?.type} ${priority}`);
        await gate.promise;
      });
    await manager.start();
    await maps.create(map('live', { metadata: { labels: { own: '' } } }));
    for (let turn = 0; turn < 30; turn++) await nextTurn();
    gate.resolve();
    await cluster.settled();
    assert.deepEqual(seen, ['old-1 initial -100', 'live add 0', 'old-2 initial -100', 'old-3 initial -100']);
    seen.length = 0;
    gate = Promise.withResolvers<void>();
    const advanced = cluster.clock.advance(60_000);
    await advanced;
    await maps.patch('old-3', { data: { changed: 'yes' } });
    for (let turn = 0; turn < 30; turn++) await nextTurn();
    gate.resolve();
    await cluster.settled();
    assert.match(seen[0] ?? '', /resync -100$/);
    assert.equal(seen[1], 'old-3 resync 0', 'a live event raises what is queued');
  });

  it('a kind can be watched and left alone again while the controller runs', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const seen: string[] = [];
    const controller = manager
      .controller('maps')
      .for(ConfigMap, { labelSelector: 'own' })
      .reconcile((key) => void seen.push(key));
    await manager.start();
    const secrets = kindSource<Secret, string>({
      name: 'secrets',
      kind: () => manager.cluster.cache.kind(Secret),
      map: toItself,
    });
    await controller.watch(secrets);
    const live = cluster.client.resource(Secret).namespace('default');
    await live.create({ metadata: { name: 'a' } });
    await cluster.settled();
    assert.deepEqual(seen, ['default/a']);
    assert.ok(manager.cluster.cache.factory.informers.includes('secrets'));
    await controller.unwatch(secrets);
    assert.ok(!manager.cluster.cache.factory.informers.includes('secrets'), 'nobody watches them any more');
    await live.create({ metadata: { name: 'b' } });
    await cluster.settled();
    assert.deepEqual(seen, ['default/a']);
  });

  it('a watch that breaks costs nothing but time', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager();
    const seen = new Set<string>();
    manager
      .controller('maps')
      .for(ConfigMap, { namespace: 'default' })
      .reconcile((key) => void seen.add(key));
    await manager.start();
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    faults.dropWatches();
    await maps.create(map('while-away'));
    await cluster.advance(120_000);
    assert.ok(seen.has('default/while-away'));
  });
});

describe('handlers of events', () => {
  it('hear of each object: add first, delete last, again until they succeed', async () => {
    await using cluster = await startTestCluster();
    const { manager, faults } = cluster.manager();
    const seen: string[] = [];
    let failures = 2;
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    await maps.create(map('a', { data: { v: '1' }, metadata: { labels: { own: '' } } }));
    manager.controller('maps').handle(
      ConfigMap,
      async (type, object, { key }) => {
        assert.equal(keyOf(object), key);
        seen.push(`${type} ${object.data?.['v']}`);
        if (failures-- > 0) throw new Error('not yet');
      },
      { labelSelector: 'own' },
    );
    await manager.start();
    await cluster.settled();
    await cluster.advance(1000);
    assert.deepEqual(seen, ['add 1', 'add 1', 'add 1']);
    seen.length = 0;
    await maps.patch('a', { data: { v: '2' } });
    await cluster.settled();
    assert.deepEqual(seen, ['update 2']);
    seen.length = 0;
    failures = 1;
    // Deleted and made again while nobody looks: both are told.
    const hold = faults.holdWatches();
    await maps.delete('a');
    await maps.create(map('a', { data: { v: '3' }, metadata: { labels: { own: '' } } }));
    hold[Symbol.dispose]();
    await cluster.settled();
    await cluster.advance(1000);
    // The retry of the failure comes last, with nothing new.
    assert.deepEqual(seen, ['delete 2', 'delete 2', 'add 3', 'update 3']);
  });
});

describe('bad input', () => {
  it('a resource that is not served, or may not be read, is named by the controller that needs it', async () => {
    await using cluster = await startTestCluster();
    const cases = [
      [{}, /controller "widgets" did not start within 1000 ms: Widget\.example\.com \(.*is it installed/],
      [
        { user: { name: 'nobody', groups: ['system:authenticated'] } },
        /controller "widgets" did not start within 1000 ms: .*forbidden/,
      ],
    ] as const;
    for (const [options, message] of cases) {
      const { manager } = cluster.manager({ ...options, controllerDefaults: { syncTimeoutMs: 1000 } });
      const builder = manager.controller('widgets');
      if ('user' in options) builder.for(Pod);
      else builder.for({ group: 'example.com', kind: 'Widget' });
      builder.reconcile(() => {});
      const failed = assert.rejects(manager.start(), { code: 'CONTROLLER_NOT_SYNCED', message });
      for (let step = 0; step < 12; step++) await cluster.clock.advance(100);
      await failed;
    }
  });

  it('a reconciler that changes what is cached is told so, by controller and key', async () => {
    await using cluster = await startTestCluster();
    const writer = memoryWriter();
    const { manager } = cluster.manager({ logger: createLogger(writer) });
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create(map('a', { metadata: { labels: { own: '' } } }));
    manager
      .controller('careless')
      .for(ConfigMap, { labelSelector: 'own' })
      .reconcile(async (key) => {
        const object = (await manager.objects(ConfigMap).get(key)) as ConfigMap;
        object.data = { changed: 'yes' };
      });
    await manager.start();
    await cluster.settled();
    const error = writer.records.find(({ level }) => level === 'error')?.fields['error'] as Error | undefined;
    assert.match(
      error?.message ?? '',
      /^controller "careless" failed for "default\/a": the reconciler tried to change an object of the cache/,
    );
  });

  it('two controllers of one name, and descriptions that make no sense', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager();
    const reconcile = (): void => {};
    const builder = manager.controller('maps').for(ConfigMap);
    builder.reconcile(reconcile);
    assert.throws(() => builder.reconcile(reconcile), { code: 'LIFECYCLE' });
    assert.throws(() => builder.owns(Secret), /is made already; use its watch method/);
    assert.throws(
      () => manager.controller('maps').for(ConfigMap).reconcile(reconcile),
      /name must be unlike/,
    );
    assert.throws(() => manager.controller('x').owns(Secret), /before it is for a kind; call for first/);
    assert.throws(
      () => manager.controller('x').for(ConfigMap).for(Secret),
      /is for configmaps already; use watches/,
    );
    assert.throws(() => manager.webhooks, /webhooks must be among the options/);
  });

  it('a crash between two writes: the next process ends what the first began', async () => {
    await using cluster = await startTestCluster();
    const run = async (crashAfter: number): Promise<boolean> => {
      const { manager, faults } = cluster.manager();
      manager
        .controller('twice')
        .for(ConfigMap, { namespace: 'default', labelSelector: 'own' })
        .reconcile(async (key) => {
          const object = await manager.objects(ConfigMap).get(key);
          if (object.data?.['first'] === undefined)
            await manager.objects(ConfigMap).patch(key, { data: { first: 'yes' } });
          if (object.data?.['second'] === undefined)
            await manager.objects(ConfigMap).patch(key, { data: { second: 'yes' } });
        });
      await manager.start();
      faults.crashAfterWrites(crashAfter);
      await cluster.client
        .resource(ConfigMap)
        .namespace('default')
        .patch('a', { metadata: { annotations: { poke: String(crashAfter) } } });
      await cluster.settled();
      return faults.hasCrashed;
    };
    const maps = cluster.client.resource(ConfigMap).namespace('default');
    await maps.create(map('a', { metadata: { labels: { own: '' } } }));
    assert.equal(await run(1), true);
    assert.deepEqual((await maps.get('a')).data, { first: 'yes' });
    assert.equal(await run(100), false);
    assert.deepEqual((await maps.get('a')).data, { first: 'yes', second: 'yes' });
  });
});
