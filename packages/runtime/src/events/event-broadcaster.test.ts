// Events of a controller, as they are written to the embedded API server.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import { ConfigMap, Namespace, type Pod } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import {
  createLogger,
  FakeClock,
  type Logger,
  type LogRecord,
  MetricsRegistry,
  nextTurn,
  silentLogger,
} from '@windlass/base';
import { createClient } from '@windlass/client';
import { Faults, startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { EventBroadcaster } from './event-broadcaster.ts';

const MINUTE = 60_000;

function setUp(cluster: TestCluster, clock: FakeClock = cluster.clock, logger: Logger = silentLogger) {
  const { random } = cluster;
  const faults = new Faults(cluster.transport());
  const metrics = new MetricsRegistry();
  const client = createClient({ transport: faults, clock, random, maxRetries: 0 });
  const broadcaster = new EventBroadcaster({ client, instance: 'host-1', clock, random, metrics, logger });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn++) await nextTurn();
  };
  const events = async (): Promise<Event[]> => {
    await settle();
    return (await cluster.client.resource(Event).namespace('default').list()).items;
  };
  const dropped = (why: string): number =>
    Number(
      new RegExp(`windlass_events_dropped_total\\{why="${why}"\\} (\\d+)`).exec(metrics.expose())?.[1] ?? 0,
    );
  return { broadcaster, recorder: broadcaster.recorder('shop'), faults, settle, events, dropped };
}

const about = (name: string, namespace = 'default'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: '7' },
});

describe('events', () => {
  it('that come while the first is being written are one series, and none is refused', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, settle, dropped } = setUp(cluster);
    recorder.normal(about('a'), 'Killing', 'it ends');
    await Promise.resolve();
    recorder.normal(about('a'), 'Killing', 'it ends');
    await settle();
    const [event, ...others] = await events();
    assert.deepEqual([event?.series?.count, others.length, dropped('refused')], [2, 0, 0]);
  });

  it('are given up once when the server refuses the second, and a stop ends', async () => {
    await using cluster = await startTestCluster();
    const { broadcaster, recorder, faults, settle, dropped } = setUp(cluster);
    recorder.normal(about('a'), 'Killing', 'it ends');
    await settle();
    faults.fail({ method: 'PATCH', answer: { code: 403, reason: 'Forbidden' }, times: 5 });
    recorder.normal(about('a'), 'Killing', 'it ends');
    await settle();
    await broadcaster.stop();
    assert.equal(dropped('refused'), 1);
  });

  it('are sent in the async context of who recorded them, so that a tracer can tell runs apart', async (t) => {
    await using cluster = await startTestCluster();
    const { recorder, settle } = setUp(cluster);
    const run = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const onRequest = (): void => {
      if (run.getStore() !== undefined) seen.push(run.getStore());
    };
    channel('windlass:request:start').subscribe(onRequest);
    t.after(() => channel('windlass:request:start').unsubscribe(onRequest));
    for (const name of ['first', 'second'])
      run.run(name, () => recorder.normal(about(name), 'Scaled', 'to 1'));
    await settle();
    assert.deepEqual(seen, ['first', 'second']);
  });

  it('say who did what to whom, and why', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, broadcaster } = setUp(cluster);
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default', uid: 'u' },
    };
    recorder.warning(about('a'), 'Broken', 'it is broken', { action: 'Mending', related: pod });
    const [event] = await events();
    assert.deepEqual(
      [
        event?.type,
        event?.reason,
        event?.action,
        event?.note,
        event?.reportingController,
        event?.reportingInstance,
      ],
      ['Warning', 'Broken', 'Mending', 'it is broken', 'shop', 'host-1'],
    );
    assert.deepEqual(event?.regarding, {
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'a',
      uid: 'uid-a',
      apiVersion: 'v1',
    });
    assert.equal(event?.related?.name, 'p');
    assert.match(event?.metadata?.name ?? '', /^a\.[0-9a-f]+$/);
    assert.equal(event?.eventTime, '2026-01-01T00:00:00.000000Z');
    assert.equal(event?.series, undefined);
    await broadcaster.stop();
  });

  it('that repeat become a series: the second is written, the rest is counted', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, faults, broadcaster } = setUp(cluster);
    recorder.normal(about('a'), 'Scaled', 'to 1');
    await events();
    await cluster.clock.advance(1000);
    recorder.normal(about('a'), 'Scaled', 'to 2');
    let [event] = await events();
    assert.deepEqual(event?.series, { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' });
    assert.equal(event?.note, 'to 1', 'the note of the first');
    const writes = faults.activity;
    for (let count = 3; count <= 50; count++) recorder.normal(about('a'), 'Scaled', `to ${count}`);
    [event] = await events();
    assert.equal(event?.series?.count, 2);
    assert.equal(faults.activity, writes, 'nothing was sent');
    // Six silent minutes end it, with the final count.
    await cluster.clock.advance(12 * MINUTE);
    [event] = await events();
    assert.equal(event?.series?.count, 50);
    recorder.normal(about('a'), 'Scaled', 'again');
    assert.equal((await events()).length, 2, 'a new one begins');
    await broadcaster.stop();
  });

  it('of a series that goes on are written every half hour', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, broadcaster } = setUp(cluster);
    const counts = new Set<number>();
    for (let minute = 0; minute < 62; minute++) {
      recorder.normal(about('a'), 'Tick', 'tock');
      counts.add((await events())[0]?.series?.count ?? 1);
      await cluster.clock.advance(MINUTE);
    }
    // Looked at every six minutes.
    assert.deepEqual([...counts], [1, 2, 36]);
    assert.equal((await events()).length, 1);
    await broadcaster.stop();
    assert.equal((await events())[0]?.series?.count, 62, 'the stop writes what is counted');
  });

  it('that expired meanwhile begin anew', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, dropped, faults, broadcaster } = setUp(cluster);
    recorder.normal(about('a'), 'Scaled', 'x');
    const [first] = await events();
    await cluster.client
      .resource(Event)
      .namespace('default')
      .delete(first?.metadata?.name ?? '');
    faults.fail({ method: 'PATCH', answer: { code: 404, reason: 'NotFound' } });
    recorder.normal(about('a'), 'Scaled', 'x');
    const [second] = await events();
    assert.equal(dropped('refused'), 0);
    assert.equal(second?.series?.count, 2);
    assert.notEqual(second?.metadata?.name, first?.metadata?.name);
    await broadcaster.stop();
  });

  it('that differ in details only are told as one, from the eleventh on', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, broadcaster } = setUp(cluster);
    for (let index = 0; index < 20; index++)
      recorder.normal(about('a'), 'Deleted', `pod-${index} is gone`, { related: about(`pod-${index}`) });
    const all = await events();
    assert.equal(all.length, 11);
    const combined = all.filter(({ note }) => note?.startsWith('(combined from similar events): '));
    assert.equal(combined.length, 1);
    assert.equal(combined[0]?.note, '(combined from similar events): pod-10 is gone');
    assert.equal(combined[0]?.related, undefined);
    await broadcaster.stop();
    assert.equal((await events()).find(({ note }) => note?.startsWith('(combined'))?.series?.count, 10);
  });

  it('of one object are limited: 25 at once, then one every five minutes; others are not harmed', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, dropped, broadcaster } = setUp(cluster);
    for (let index = 0; index < 40; index++) recorder.normal(about('a'), `Reason${index}`, 'x');
    assert.equal((await events()).length, 25);
    assert.equal(dropped('spam'), 15);
    recorder.normal(about('b'), 'Reason', 'x');
    assert.equal((await events()).length, 26);
    await cluster.clock.advance(5 * MINUTE);
    recorder.normal(about('a'), 'LaterReason', 'x');
    recorder.normal(about('a'), 'YetAnother', 'x');
    assert.equal((await events()).length, 27);
    assert.equal(dropped('spam'), 16);
    await broadcaster.stop();
  });

  it('wait for a server that is away, and are given up when it says no', async () => {
    await using cluster = await startTestCluster();
    const { recorder, events, faults, dropped, broadcaster } = setUp(cluster);
    faults.fail({ method: 'POST', answer: 'refused', times: 2 });
    recorder.normal(about('a'), 'Scaled', 'x');
    assert.equal((await events()).length, 0);
    await cluster.clock.advance(12_500);
    assert.equal((await events()).length, 0);
    await cluster.clock.advance(12_500);
    assert.equal((await events()).length, 1);
    faults.fail({ method: 'POST', answer: { code: 403, reason: 'Forbidden' } });
    recorder.normal(about('b'), 'Scaled', 'x');
    await events();
    assert.equal(dropped('refused'), 1);
    faults.fail({ method: 'POST', answer: 'refused', times: 100 });
    recorder.normal(about('c'), 'Scaled', 'x');
    for (let tries = 0; tries < 13; tries++) {
      await cluster.clock.advance(12_500);
      await events();
    }
    assert.equal(dropped('unreachable'), 1);
    await broadcaster.stop();
  });

  it('never harm who records them: bad objects, long texts, a stop', async () => {
    await using cluster = await startTestCluster();
    // A clock of its own: the server has timers, too.
    const clock = new FakeClock();
    const { recorder, events, dropped, faults, broadcaster } = setUp(cluster, clock);
    recorder.normal({}, 'Nameless', 'x');
    assert.equal(dropped('invalid'), 1);
    recorder.normal(about('a'), 'R'.repeat(500), 'é'.repeat(5000));
    const [event] = await events();
    assert.ok(Buffer.byteLength(event?.note ?? '') <= 1024 && (event?.note ?? '').endsWith('é…'));
    assert.equal(Buffer.byteLength(event?.reason ?? ''), 128);
    faults.fail({ method: 'POST', answer: 'lost', times: 100 });
    recorder.normal(about('b'), 'Scaled', 'x');
    const deadline = new AbortController();
    const stopping = broadcaster.stop(deadline.signal);
    await nextTurn();
    deadline.abort();
    await stopping;
    recorder.normal(about('b'), 'Scaled', 'after the stop');
    assert.equal(clock.pendingTimers, 0);
  });

  for (const [what, exists] of [
    ['going', true],
    ['gone', false],
  ] as const)
    it(`of a namespace that is ${what} are dropped together: one request, one line`, async () => {
      await using cluster = await startTestCluster();
      const records: LogRecord[] = [];
      const logger = createLogger((record) => records.push(record));
      const clock = new FakeClock();
      const { broadcaster, recorder, faults, settle, events, dropped } = setUp(cluster, clock, logger);
      if (exists) {
        const namespaces = cluster.client.resource(Namespace);
        await namespaces.create({ metadata: { name: 'shop', finalizers: ['example.com/held'] } });
        await namespaces.delete('shop');
      }
      const before = faults.activity;
      for (let index = 0; index < 50; index++) recorder.normal(about(`${index}`, 'shop'), 'Killing', 'x');
      recorder.normal(about('a'), 'Scaled', 'x');
      assert.equal((await events()).length, 1, 'others are written');
      // Activity counts each request twice: when it is sent, and when it is answered.
      assert.deepEqual([dropped('refused'), faults.activity - before], [50, 4]);
      await clock.advance(9000);
      recorder.normal(about('late', 'shop'), 'Killing', 'x');
      await settle();
      await clock.advance(10_999);
      assert.equal(records.length, 0, 'more may come');
      await clock.advance(1);
      assert.deepEqual(
        records.map(({ level, message, fields }) => [level, message, fields]),
        [['warn', 'events of a namespace that is gone were dropped', { namespace: 'shop', count: 51 }]],
      );
      recorder.normal(about('last', 'shop'), 'Killing', 'x');
      await settle();
      await broadcaster.stop();
      assert.deepEqual([records.length, records[1]?.fields['count'], clock.pendingTimers], [2, 1, 0]);
    });

  it('that wait do not hold up a stop for more than a second', async () => {
    await using cluster = await startTestCluster();
    const clock = new FakeClock();
    const { recorder, events, dropped, faults, broadcaster } = setUp(cluster, clock);
    recorder.normal(about('first'), 'Scaled', 'x');
    await events();
    // The writer waits ten seconds for its next try, with many behind it.
    faults.fail({ method: 'POST', answer: 'lost', times: 1 });
    for (let index = 0; index < 50; index++) recorder.normal(about(`later-${index}`), 'Scaled', 'x');
    await events();
    let isStopped = false;
    const stopping = broadcaster.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(999);
    assert.equal(isStopped, false);
    await clock.advance(1);
    await stopping;
    assert.deepEqual([dropped('unreachable'), dropped('stopped'), broadcaster.pending], [1, 49, 0]);
    assert.deepEqual([(await events()).length, clock.pendingTimers], [1, 0]);
  });

  it('come from the context of a reconcile, with its controller on them', async () => {
    await using cluster = await startTestCluster();
    const { manager } = cluster.manager({ identity: 'me' });
    manager
      .controller('greeter')
      .for(ConfigMap, { labelSelector: 'greet' })
      .reconcile(async (key, { recorder }) => {
        const object = await manager.objects(ConfigMap).find(key);
        if (object !== undefined) recorder.normal(object, 'Greeted', 'hello');
      });
    await manager.start();
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .create({ metadata: { name: 'a', labels: { greet: '' } } });
    await cluster.settled();
    const [event] = (await cluster.client.resource(Event).namespace('default').list()).items;
    assert.deepEqual(
      [event?.reportingController, event?.reportingInstance, event?.regarding?.name, event?.reason],
      ['greeter', 'me', 'a', 'Greeted'],
    );
  });
});
