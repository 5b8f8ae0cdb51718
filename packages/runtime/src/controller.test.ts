import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { describe, it, type TestContext } from 'node:test';
import {
  createLogger,
  FakeClock,
  type LogRecord,
  MetricsRegistry,
  memoryWriter,
  nextTurn,
} from '@windlass/base';
import { Controller } from './controller.ts';
import type { ControllerOptions } from './controller-options.ts';
import { TerminalError } from './errors.ts';
import type { ReconcileReport } from './reconcile-reports.ts';
import type { Reconcile } from './reconciler.ts';
import type { ReconcileOutcome } from './result.ts';
import type { StartedRun } from './run.ts';
import { channelSource } from './sources/channel-source.ts';
import type { Source } from './sources/source.ts';
import { timerSource } from './sources/timer-source.ts';

interface Fixture extends AsyncDisposable {
  readonly controller: Controller;
  readonly clock: FakeClock;
  readonly metrics: MetricsRegistry;
  readonly records: readonly LogRecord[];
  /** Lets everything run that needs no time. */
  settle(): Promise<void>;
  counter(name: string): number;
}

async function start(reconcile: Reconcile, options: Partial<ControllerOptions> = {}): Promise<Fixture> {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const writer = memoryWriter();
  const controller = new Controller({
    name: 'test',
    reconcile,
    clock,
    metrics,
    logger: createLogger(writer, 'debug'),
    ...options,
  });
  await controller.start();
  return {
    controller,
    clock,
    metrics,
    records: writer.records,
    async settle() {
      for (let turn = 0; turn < 5; turn++) await nextTurn();
    },
    counter(name) {
      const line = metrics
        .expose()
        .split('\n')
        .find((text) => text.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1) ?? Number.NaN);
    },
    async [Symbol.asyncDispose]() {
      await controller.stop();
      assert.equal(clock.pendingTimers, 0, 'a stopped controller leaves no timer');
    },
  };
}

const errors = (records: readonly LogRecord[]): LogRecord[] =>
  records.filter(({ level }) => level === 'error');
const total = (result: string): string =>
  `controller_runtime_reconcile_total{controller="test",result="${result}"}`;

describe('what a reconcile returns', () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  // Each row runs once, and says when the key comes back and whether its failures are forgotten.
  const table: readonly {
    readonly what: string;
    readonly outcome: () => ReconcileOutcome;
    readonly label: string;
    readonly backAfterMs: number | undefined;
    readonly retries: number;
  }[] = [
    { what: 'nothing', outcome: () => undefined, label: 'success', backAfterMs: undefined, retries: 0 },
    { what: 'an empty result', outcome: () => ({}), label: 'success', backAfterMs: undefined, retries: 0 },
    {
      what: 'requeueAfterMs',
      outcome: () => ({ requeueAfterMs: 700 }),
      label: 'requeue_after',
      backAfterMs: 700,
      retries: 0,
    },
    {
      what: 'requeueAfterMs and requeue: the time counts',
      outcome: () => ({ requeueAfterMs: 700, requeue: true }),
      label: 'requeue_after',
      backAfterMs: 700,
      retries: 0,
    },
    {
      what: 'a time of 0 is none',
      outcome: () => ({ requeueAfterMs: 0 }),
      label: 'success',
      backAfterMs: undefined,
      retries: 0,
    },
    { what: 'requeue', outcome: () => ({ requeue: true }), label: 'requeue', backAfterMs: 20, retries: 3 },
    { what: 'an error', outcome: boom, label: 'error', backAfterMs: 20, retries: 3 },
    {
      what: 'an error for good',
      outcome: () => {
        throw new Error('wrapped', { cause: new TerminalError('never') });
      },
      label: 'error',
      backAfterMs: undefined,
      retries: 0,
    },
  ];
  for (const mode of ['at once', 'later'] as const) {
    for (const { what, outcome, label, backAfterMs, retries } of table) {
      it(`${what}, ${mode}`, async () => {
        // Two failures come first, so that forgetting shows.
        let runs = 0;
        const seen: number[] = [];
        await using test = await start((_, context) => {
          seen.push(context.retries);
          const give = (): ReconcileOutcome => (++runs <= 2 ? boom() : runs === 3 ? outcome() : undefined);
          return mode === 'at once' ? give() : nextTurn().then(give);
        });
        test.controller.enqueue('a');
        await test.settle();
        await test.clock.advance(5);
        await test.settle();
        await test.clock.advance(10);
        await test.settle();
        assert.deepEqual(seen, [0, 1, 2]);
        const before = label === 'error' ? 2 : 0;
        assert.equal(test.counter(total(label)), before + 1);
        assert.equal(test.controller.delayedCount, backAfterMs === undefined ? 0 : 1);
        if (backAfterMs === undefined) return;
        const [delayed] = test.controller.snapshot().delayedKeys;
        assert.equal(delayed?.retries, retries);
        await test.clock.advance(backAfterMs - 1);
        await test.settle();
        assert.equal(runs, 3, 'not a moment too soon');
        await test.clock.advance(1);
        await test.settle();
        assert.equal(runs, 4);
      });
    }
  }
});

describe('bad reconcilers', () => {
  const readOnly = Object.freeze({ spec: 1 }) as { spec: number };
  const table: readonly [what: string, reconcile: Reconcile, code: string][] = [
    ['throws', () => Promise.reject(new Error('no luck')), ''],
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    ['throws what is no error', () => Promise.reject('no luck'), 'NON_ERROR_THROWN'],
    ['returns a number', () => 5 as never, 'INVALID_RESULT'],
    ['returns a list', () => [] as never, 'INVALID_RESULT'],
    ['returns a bad time', () => ({ requeueAfterMs: Number.NaN }), 'INVALID_RESULT'],
    ['returns a negative time', async () => ({ requeueAfterMs: -1 }), 'INVALID_RESULT'],
    ['returns a bad priority', () => ({ priority: Number.POSITIVE_INFINITY }), 'INVALID_RESULT'],
    ['returns a bad requeue', () => ({ requeue: 'yes' }) as never, 'INVALID_RESULT'],
    ['returns a time by another name', () => ({ requeueAfter: '5m' }) as never, 'INVALID_RESULT'],
    ['returns an object', () => ({ metadata: {} }) as never, 'INVALID_RESULT'],
    [
      'changes what is cached',
      () => {
        readOnly.spec = 2;
      },
      'CACHE_MUTATION',
    ],
  ];
  for (const [what, reconcile, code] of table) {
    it(`one that ${what} gives one clear error, and backs off`, async () => {
      let runs = 0;
      const failed: Error[] = [];
      await using test = await start(
        (key, context) => {
          runs++;
          return reconcile(key, context);
        },
        { onError: (error) => failed.push(error) },
      );
      test.controller.enqueue('shop/web');
      await test.settle();
      assert.equal(runs, 1, 'it does not spin');
      const logged = errors(test.records);
      assert.equal(logged.length, 1);
      const error = logged[0]?.fields['error'] as Error & { cause: { code?: string } };
      assert.match(error.message, /^controller "test" failed for "shop\/web": /);
      assert.equal(error.cause.code ?? '', code);
      assert.deepEqual(failed, [error]);
      // 5 + 10 + 20 + … ms: ten retries take five seconds.
      for (let step = 0; step < 10; step++) {
        await test.clock.advance(5 * 2 ** step);
        await test.settle();
      }
      assert.equal(runs, 11);
      assert.equal(test.counter('controller_runtime_reconcile_errors_total{controller="test"}'), 11);
    });
  }

  it('a programming error counts as a panic, another one does not', async () => {
    await using test = await start((key) => {
      if (key === 'bug') (undefined as unknown as { x: () => void }).x();
      throw new Error('expected');
    });
    test.controller.enqueue('bug');
    test.controller.enqueue('error');
    await test.settle();
    assert.equal(test.counter('controller_runtime_reconcile_panics_total{controller="test"}'), 1);
    assert.equal(test.counter('controller_runtime_reconcile_errors_total{controller="test"}'), 2);
  });

  it('one that never returns is asked to end, then loses its worker, and its key waits', async () => {
    const stuck = Promise.withResolvers<void>();
    const runs: string[] = [];
    const aborted: { code?: string }[] = [];
    await using test = await start(
      async (key, { signal }) => {
        runs.push(key);
        if (key !== 'stuck' || runs.filter((other) => other === 'stuck').length > 1) return;
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason as { code?: string });
        });
        await stuck.promise;
      },
      { timeoutMs: 1000, stuckAfterMs: 500 },
    );
    test.controller.enqueue('stuck');
    await test.settle();
    test.controller.enqueue('other');
    test.controller.enqueue('stuck');
    await test.clock.advance(999);
    assert.equal(aborted.length, 0);
    await test.clock.advance(1);
    assert.equal(aborted[0]?.code, 'RECONCILE_TIMEOUT');
    assert.deepEqual(runs, ['stuck'], 'the one worker is still held up');
    await test.clock.advance(500);
    await test.settle();
    assert.deepEqual(runs, ['stuck', 'other'], 'another worker took over, but not the key');
    assert.equal(test.counter('windlass_reconciles_stuck{controller="test"}'), 1);
    assert.deepEqual(
      errors(test.records).map(({ fields }) => fields['key']),
      ['stuck', 'stuck'],
    );
    stuck.resolve();
    await test.settle();
    assert.deepEqual(runs, ['stuck', 'other', 'stuck']);
    assert.equal(test.counter('windlass_reconciles_stuck{controller="test"}'), 0);
    assert.equal(test.counter('controller_runtime_reconcile_timeouts_total{controller="test"}'), 1);
    test.controller.enqueue('last');
    await test.settle();
    assert.equal(test.controller.snapshot().waitingWorkers, 1, 'there is one worker, as there was');
  });

  it('what fails because of its deadline says so', async () => {
    await using test = await start(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            const error = new Error('aborted');
            error.name = 'AbortError';
            reject(error);
          });
        }),
      { timeoutMs: 1000 },
    );
    test.controller.enqueue('a');
    await test.settle();
    await test.clock.advance(1000);
    await test.settle();
    const error = errors(test.records).at(-1)?.fields['error'] as Error;
    assert.equal(error.message, 'controller "test" failed for "a": the reconcile took longer than 1000 ms');
  });

  it('gives a key up after its last retry, and takes it again with its next event', async () => {
    let runs = 0;
    await using test = await start(
      () => {
        runs++;
        throw new Error('always');
      },
      { maxRetries: 5 },
    );
    test.controller.enqueue('a');
    for (let step = 0; step < 20; step++) {
      await test.settle();
      await test.clock.advance(10_000);
    }
    assert.equal(runs, 6, 'once, and five retries');
    assert.equal(test.counter('windlass_reconcile_given_up_total{controller="test"}'), 1);
    test.controller.enqueue('a');
    await test.settle();
    assert.equal(runs, 7);
    assert.equal(test.controller.snapshot().delayedKeys[0]?.retries, 1, 'its failures were forgotten');
  });
});

describe('runs', () => {
  it('of one key never overlap, and others go on beside them', async () => {
    const running = new Set<string>();
    let most = 0;
    const runs: string[] = [];
    const gate = Promise.withResolvers<void>();
    await using test = await start(
      async (key) => {
        assert.ok(!running.has(key), `${key} runs twice`);
        running.add(key);
        most = Math.max(most, running.size);
        runs.push(key);
        await gate.promise;
        running.delete(key);
      },
      { concurrency: 3 },
    );
    for (const key of ['a', 'b', 'c', 'd']) test.controller.enqueue(key);
    await test.settle();
    for (let again = 0; again < 10; again++) test.controller.enqueue('a');
    assert.deepEqual(runs, ['a', 'b', 'c']);
    gate.resolve();
    await test.settle();
    assert.deepEqual(runs, ['a', 'b', 'c', 'd', 'a'], 'ten adds during a run are one more run');
    assert.equal(most, 3);
  });

  it('know why they take place, in order, and what failed before', async () => {
    const seen: (readonly string[])[] = [];
    const gate = Promise.withResolvers<void>();
    await using test = await start(async (key, { reasons }) => {
      if (key === 'busy') return gate.promise;
      seen.push(reasons.kept.map(({ type, source, message }) => `${type} ${source} ${message ?? ''}`.trim()));
      if (seen.length === 1) throw new Error('first');
    });
    test.controller.enqueue('busy');
    test.controller.enqueue('a', { source: 'person', message: 'look again' });
    test.controller.enqueue('a', { source: 'device' });
    gate.resolve();
    await test.settle();
    await test.clock.advance(5);
    await test.settle();
    assert.deepEqual(seen, [['event person look again', 'event device'], ['retry test first']]);
  });

  it('can be asked for later, and only that counts as a retry', async () => {
    const seen: string[] = [];
    await using test = await start((key) => void seen.push(key));
    test.controller.enqueue('later', { afterMs: 100 });
    test.controller.enqueue('now');
    await test.settle();
    assert.deepEqual(seen, ['now']);
    await test.clock.advance(100);
    await test.settle();
    assert.deepEqual(seen, ['now', 'later']);
    assert.equal(test.counter('workqueue_retries_total{name="test"}'), 1);
  });

  it('let the rest of the program run, however many keys wait', async () => {
    let runs = 0;
    await using test = await start(() => void runs++);
    for (let key = 0; key < 1000; key++) test.controller.enqueue(String(key));
    await nextTurn();
    assert.ok(runs > 0 && runs < 1000, `${runs} runs in one turn`);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.equal(runs, 1000);
  });

  it('are published for whoever listens', async (t: TestContext) => {
    const published: ReconcileReport[] = [];
    const listen = (report: unknown): void => void published.push(report as ReconcileReport);
    channel('windlass:reconcile').subscribe(listen);
    t.after(() => channel('windlass:reconcile').unsubscribe(listen));
    await using test = await start((key) => {
      if (key === 'bad') throw new Error('no');
    });
    test.controller.enqueue('good');
    test.controller.enqueue('bad');
    await test.settle();
    assert.deepEqual(
      published.map(({ controller, key, result, error }) => [controller, key, result, error !== undefined]),
      [
        ['test', 'good', 'success', false],
        ['test', 'bad', 'error', true],
      ],
    );
  });
});

describe('runs that somebody follows', () => {
  it('begin where a store that is bound to the channel holds, until they have ended', async (t: TestContext) => {
    const store = new AsyncLocalStorage<string>();
    const starts = channel('windlass:reconcile:start');
    starts.bindStore(store, (started) => String((started as StartedRun).key));
    t.after(() => starts.unbindStore(store));
    const seen: (string | undefined)[] = [];
    await using test = await start(async (key) => {
      seen.push(store.getStore());
      await nextTurn();
      seen.push(store.getStore());
      if (key === 'b') throw new Error('no');
    });
    test.controller.enqueue('a');
    test.controller.enqueue('b');
    await test.settle();
    assert.deepEqual(new Set(seen), new Set(['a', 'b']), 'before the wait and after it');
    assert.equal(seen.length, 4);
    assert.equal(store.getStore(), undefined);
    const { queued, working, delayed, retrying, finished, failed } = test.controller.counts();
    assert.deepEqual([queued, working, delayed, retrying, finished, failed], [0, 0, 1, 1, 2, 1]);
  });

  it('what a listener sets around a run holds while the reconciler runs', async (t) => {
    const store = new AsyncLocalStorage<string>();
    const starts = channel('windlass:reconcile:start');
    const onStart = (message: unknown): void => {
      const started = message as StartedRun; // the channel has no other messages
      started.around = (body) => store.run(`${String(started.key)}, retry ${started.retries}`, body);
    };
    starts.subscribe(onStart);
    t.after(() => starts.unsubscribe(onStart));
    const seen: (string | undefined)[] = [];
    await using test = await start(async () => {
      await nextTurn();
      seen.push(store.getStore());
      if (seen.length === 1) throw new Error('no');
    });
    test.controller.enqueue('a');
    await test.settle();
    await test.clock.runUntilIdle();
    assert.deepEqual(seen, ['a, retry 0', 'a, retry 1']);
    assert.equal(test.controller.counts().failed, 1);
  });
});

describe('sources', () => {
  const silentSource = (name: string, why: string): Source => ({
    name,
    start: () => ({
      synced: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('gave up')));
        }),
      whyNotSynced: () => why,
      isIdle: false,
      stop: () => Promise.resolve(),
    }),
  });

  it('that do not come up are named, with the reason, and nothing runs', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const good = channelSource('good');
    good.send('a');
    const controller = new Controller({
      name: 'test',
      reconcile: () => void runs++,
      sources: [good, silentSource('widgets.example.com', 'not served')],
      syncTimeoutMs: 2000,
      clock,
    });
    const started = controller.start();
    const failed = assert.rejects(started, {
      code: 'CONTROLLER_NOT_SYNCED',
      message: 'controller "test" did not start within 2000 ms: widgets.example.com (not served)',
    });
    await nextTurn();
    await clock.advance(2000);
    await failed;
    assert.equal(runs, 0);
    assert.equal(controller.lifecycle, 'stopped');
    await assert.rejects(controller.start(), { code: 'LIFECYCLE' });
  });

  it('come and go while the controller runs', async () => {
    const seen: string[] = [];
    await using test = await start((key) => void seen.push(key));
    const devices = channelSource('devices');
    devices.send('early');
    await test.controller.watch(devices);
    devices.send('b');
    await test.settle();
    assert.deepEqual(seen, ['early', 'b']);
    await test.controller.unwatch(devices);
    devices.send('late');
    await test.settle();
    assert.deepEqual(seen, ['early', 'b']);
  });

  it('one that fails to come up later is taken away again, and the controller goes on', async () => {
    const seen: string[] = [];
    await using test = await start((key) => void seen.push(key), { syncTimeoutMs: 100 });
    const watched = assert.rejects(
      test.controller.watch(silentSource('gone', 'forbidden')),
      /gone \(forbidden\)/,
    );
    await nextTurn();
    await test.clock.advance(100);
    await watched;
    test.controller.enqueue('a');
    await test.settle();
    assert.deepEqual(seen, ['a']);
    assert.ok(test.controller.isIdle);
  });

  it('a timer comes at its times, and survives what its keys throw', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const seen: string[] = [];
    const timer = timerSource({
      name: 'hourly',
      everyMs: 1000,
      immediately: true,
      clock,
      keys: () => {
        if (++asked === 2) throw new Error('no keys');
        return [`tick-${asked}`];
      },
    });
    await using controller = new Controller({
      name: 'test',
      reconcile: (key, { reasons }) => void seen.push(`${key} ${reasons.kept[0]?.type}`),
      sources: [timer],
      clock,
    });
    await controller.start();
    await nextTurn();
    await clock.advance(2000);
    await nextTurn();
    assert.deepEqual(seen, ['tick-1 timer', 'tick-3 timer']);
  });

  it('a channel that nobody listens to holds what fits, and says when it does not', () => {
    const small = channelSource('small', { capacity: 1 });
    assert.equal(small.send('a'), true);
    assert.equal(small.send('b'), false);
  });

  it('live events go before what was there at the start', async () => {
    const seen: string[] = [];
    const gate = Promise.withResolvers<void>();
    await using test = await start(async (key) => {
      seen.push(key);
      if (key === 'first') await gate.promise;
    });
    test.controller.enqueue('first');
    await test.settle();
    for (const key of ['old-1', 'old-2']) test.controller.enqueue(key, { priority: -100 });
    test.controller.enqueue('live');
    gate.resolve();
    await test.settle();
    assert.deepEqual(seen, ['first', 'live', 'old-1', 'old-2']);
  });
});

describe('stop', () => {
  it('waits for runs, starts no more, and gives up what is queued', async () => {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const test = await start(async (key) => {
      seen.push(key);
      await gate.promise;
    });
    test.controller.enqueue('a');
    test.controller.enqueue('b');
    await test.settle();
    let stopped = false;
    const stopping = test.controller.stop().then(() => {
      stopped = true;
    });
    await test.settle();
    assert.equal(stopped, false);
    gate.resolve();
    await stopping;
    assert.deepEqual(seen, ['a']);
    assert.equal(test.controller.enqueue('c'), false);
    assert.equal(test.metrics.expose().includes('controller="test"'), false, 'its series are gone');
  });

  it('aborts runs at its deadline, and goes on without those that ignore it', async () => {
    let aborted = false;
    const test = await start(async (key, { signal }) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          if (key !== 'deaf') resolve();
        });
      });
    });
    test.controller.enqueue('deaf');
    await test.settle();
    const deadline = new AbortController();
    const stopping = test.controller.stop({ deadline: deadline.signal });
    deadline.abort();
    await test.settle();
    assert.equal(aborted, true);
    await test.clock.advance(1000);
    await stopping;
    assert.deepEqual(errors(test.records).at(-1)?.fields['keys'], ['deaf']);
  });

  it('a run that the stop has cancelled is no failure', async () => {
    const test = await start(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    test.controller.enqueue('a');
    await test.settle();
    const deadline = new AbortController();
    const stopping = test.controller.stop({ deadline: deadline.signal });
    deadline.abort();
    await stopping;
    assert.deepEqual(errors(test.records), []);
  });
});

describe('a run that fails while the controller stops', () => {
  const failing = async (cause: Error): Promise<LogRecord[]> => {
    const gate = Promise.withResolvers<void>();
    const test = await start(async () => {
      await gate.promise;
      throw cause;
    });
    test.controller.enqueue('a');
    await test.settle();
    const stopping = test.controller.stop();
    gate.resolve();
    await stopping;
    return errors(test.records);
  };

  it('is no error: what it needs may have stopped before it', async () => {
    assert.deepEqual(await failing(new Error('the driver is unavailable')), []);
  });

  it('is one when it is a mistake in the program', async () => {
    assert.equal((await failing(new TypeError('x is not a function'))).length, 1);
  });
});

describe('bad options', () => {
  const reconcile = (): void => {};
  const table: readonly [Partial<ControllerOptions>, RegExp][] = [
    [{ name: '' }, /^name must be/],
    [{ reconcile: 5 as never }, /^reconcile must be a function, but it is 5/],
    [{ concurrency: 0 }, /^concurrency must be a whole number of at least 1, but it is 0/],
    [{ concurrency: 1.5 }, /^concurrency/],
    [{ maxRetries: -1 }, /^maxRetries/],
    [{ timeoutMs: Number.NaN }, /^timeoutMs/],
    [{ syncTimeoutMs: -5 }, /^syncTimeoutMs/],
  ];
  for (const [options, message] of table) {
    it(JSON.stringify(options), () => {
      assert.throws(() => new Controller({ name: 'test', reconcile, ...options }), { message });
    });
  }
});
