// With OpenTelemetry's own SDK: what a controller's runs and calls look like to it.
import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Namespace, Secret } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { createClient, parseKubeconfig, resolveContext } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { Controller, Manager, TerminalError } from '@windlass/runtime';
import { instrument } from './instrument.ts';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const cluster = await startCluster({ port: 0 });
const outside = createClient({ transport: cluster.transport() });
after(async () => {
  await outside.close();
  await cluster.stop();
});

let tracing: Disposable;
beforeEach(() => {
  exporter.reset();
  tracing = instrument({ tracerProvider: provider });
});
afterEach(() => tracing[Symbol.dispose]());

type Reconcile = (key: string, manager: Manager) => Promise<unknown>;

let namespaces = 0;

/** A manager with one controller, for the secrets of a namespace of its own. */
async function operator(reconcile: Reconcile, { overHttp = false } = {}) {
  const namespace = `test-${++namespaces}`;
  await outside.resource(Namespace).create({ metadata: { name: namespace } });
  const way = overHttp
    ? { config: resolveContext(await parseKubeconfig(cluster.kubeconfig, 'of the cluster')) }
    : { transport: cluster.transport() };
  const manager = new Manager({ ...way, namespaces: [namespace] });
  manager
    .controller('labels')
    .for(Secret)
    .reconcile(async (key) => {
      await reconcile(key, manager);
    });
  await manager.start();
  const secrets = outside.resource(Secret).namespace(namespace);
  return { namespace, secrets, [Symbol.asyncDispose]: () => manager.stop() };
}

const secretsOf = (manager: Manager, key: string) =>
  manager.client.resource(Secret).namespace(key.slice(0, key.indexOf('/')));
const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;

/** The spans of a name that have ended, in their order, once there are so many. */
function ended(name: string, count = 1): Promise<ReadableSpan[]> {
  return until(
    `${count} spans "${name}"`,
    () => exporter.getFinishedSpans().filter((span) => span.name === name),
    (found) => found.length >= count,
  );
}

describe('runs', () => {
  it('have a span each, without a parent, which says what ran and why', async () => {
    await using test = await operator(async () => undefined);
    const { metadata } = await test.secrets.create({ metadata: { name: 'web' } });
    const [run] = await ended('reconcile labels');
    assert.ok(run);
    assert.equal(run.kind, SpanKind.INTERNAL);
    assert.equal(parentOf(run), undefined);
    assert.equal(run.status.code, SpanStatusCode.UNSET);
    const { 'windlass.queue.wait_ms': waited, ...attributes } = run.attributes;
    assert.ok(typeof waited === 'number' && waited >= 0, String(waited));
    assert.deepEqual(attributes, {
      'windlass.controller': 'labels',
      'windlass.key': `${test.namespace}/web`,
      'windlass.name': 'web',
      'k8s.namespace.name': test.namespace,
      'windlass.reasons': [`add of secrets ${test.namespace}/web at ${metadata.resourceVersion}`],
      'windlass.retries': 0,
      'windlass.result': 'success',
    });
    assert.deepEqual(
      run.events.map(({ name, attributes }) => [name, attributes]),
      [
        [
          'add',
          {
            'windlass.source': 'secrets',
            'windlass.object': `${test.namespace}/web`,
            'windlass.resource_version': metadata.resourceVersion,
          },
        ],
      ],
    );
  });

  it('that fail have the exception and the status, and their retries say how often', async () => {
    let failures = 0;
    await using test = await operator(async () => {
      if (failures++ === 0) throw new Error('no quota');
      throw new TerminalError('never');
    });
    await test.secrets.create({ metadata: { name: 'web' } });
    const [first, second] = await ended('reconcile labels', 2);
    assert.ok(first && second);
    assert.deepEqual(first.status, { code: SpanStatusCode.ERROR, message: 'no quota' });
    assert.equal(first.attributes['error.type'], 'Error');
    assert.equal(first.attributes['windlass.result'], 'error');
    // On a busy machine its time may have come by then.
    assert.ok(Number(first.attributes['windlass.again_in_ms']) >= 0);
    const exception = first.events.find(({ name }) => name === 'exception');
    assert.equal(exception?.attributes?.['exception.message'], 'no quota');
    assert.equal(second.attributes['windlass.retries'], 1);
    assert.equal(second.status.message, 'never');
    assert.equal(second.attributes['windlass.again_in_ms'], undefined);
    assert.equal(second.events[0]?.attributes?.['windlass.message'], 'no quota');
  });

  it('are the active span in the reconciler, also after a wait, each in its own', async () => {
    const active = new Map<string, (string | undefined)[]>();
    const gate = Promise.withResolvers<void>();
    const current = () => trace.getActiveSpan()?.spanContext().spanId;
    await using test = await operator(async (key) => {
      const seen = [current()];
      active.set(key, seen);
      provider.getTracer('user').startSpan('of the user').end();
      await gate.promise;
      seen.push(current());
    });
    for (const name of ['a', 'b']) await test.secrets.create({ metadata: { name } });
    gate.resolve();
    const runs = await ended('reconcile labels', 2);
    for (const run of runs) {
      const { spanId } = run.spanContext();
      assert.deepEqual(active.get(String(run.attributes['windlass.key'])), [spanId, spanId]);
    }
    const own = await ended('of the user', 2);
    assert.deepEqual(new Set(own.map(parentOf)), new Set(runs.map((run) => run.spanContext().spanId)));
  });

  it('have a trace of their own, also where the controller was started within a span', async () => {
    await provider.getTracer('user').startActiveSpan('start', async (span) => {
      await using controller = new Controller({ name: 'labels', reconcile: () => undefined });
      controller.enqueue('node-1');
      await controller.start();
      const [run] = await ended('reconcile labels');
      assert.ok(run);
      assert.equal(parentOf(run), undefined);
      assert.notEqual(run.spanContext().traceId, span.spanContext().traceId);
      assert.equal(run.attributes['windlass.name'], 'node-1');
      assert.equal(run.attributes['k8s.namespace.name'], undefined);
    });
  });

  it('that a stop cancels have not failed', async () => {
    const running = Promise.withResolvers<void>();
    const controller = new Controller({
      name: 'labels',
      reconcile: (_, { signal }) => {
        running.resolve();
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    controller.enqueue('a/b');
    await controller.start();
    await running.promise;
    await controller.stop({ deadline: AbortSignal.abort() });
    const [run] = await ended('reconcile labels');
    assert.equal(run?.status.code, SpanStatusCode.UNSET);
    assert.equal(run.attributes['windlass.result'], 'error');
    assert.equal(run.attributes['error.type'], 'CANCELLED');
  });

  it('link to the call that wrote what caused them', async () => {
    await using test = await operator(async (key, manager) => {
      const secret = await secretsOf(manager, key).get(nameOf(key));
      if (secret.data === undefined)
        await secretsOf(manager, key).replace({ ...secret, data: { color: 'Ymx1ZQ==' } });
    });
    await test.secrets.create({ metadata: { name: 'web' } });
    const [first, second] = await ended('reconcile labels', 2);
    const [put] = await ended('PUT secrets');
    assert.ok(first && second && put);
    assert.deepEqual(first.links, [], 'somebody else made it');
    assert.deepEqual(
      second.links.map((link) => link.context.spanId),
      [put.spanContext().spanId],
    );
    assert.notEqual(second.spanContext().traceId, first.spanContext().traceId);
  });
});

describe('calls to the API server', () => {
  it('are children of the run, by the conventions of HTTP clients', async () => {
    await using test = await operator(
      async (key, manager) => {
        await secretsOf(manager, key).get(nameOf(key));
        await secretsOf(manager, key)
          .get('absent')
          .catch(() => undefined);
      },
      { overHttp: true },
    );
    await test.secrets.create({ metadata: { name: 'web' } });
    const [run] = await ended('reconcile labels');
    const [found, absent] = await ended('GET secrets', 2);
    assert.ok(run && found && absent && cluster.server);
    for (const call of [found, absent]) {
      assert.equal(call.kind, SpanKind.CLIENT);
      assert.equal(parentOf(call), run.spanContext().spanId);
      assert.equal(call.spanContext().traceId, run.spanContext().traceId);
    }
    const path = `/api/v1/namespaces/${test.namespace}/secrets/web`;
    const { hostname, port } = new URL(cluster.server);
    assert.deepEqual(found.attributes, {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'k8s.namespace.name': test.namespace,
      'server.address': hostname,
      'server.port': Number(port),
      'url.full': `${cluster.server}${path}`,
      'url.path': path,
      'windlass.name': 'web',
      'windlass.resource': 'secrets',
    });
    assert.equal(found.status.code, SpanStatusCode.UNSET);
    assert.equal(absent.attributes['http.response.status_code'], 404);
    assert.equal(absent.attributes['error.type'], '404');
    assert.deepEqual(absent.status, { code: SpanStatusCode.ERROR, message: 'secrets "absent" not found' });
  });

  it('carry their span in the header traceparent, once', async (t) => {
    const received = new Map<string, unknown>();
    const onRequest = (message: unknown): void => {
      // Node publishes the request that a server has received.
      const { url, rawHeaders } = (message as { request: IncomingMessage }).request;
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      const values = rawHeaders.filter((_, index) => index % 2 === 1);
      received.set(
        String(url),
        values.filter((_, index) => names[index]?.toLowerCase() === 'traceparent'),
      );
    };
    channel('http.server.request.start').subscribe(onRequest);
    t.after(() => channel('http.server.request.start').unsubscribe(onRequest));
    await using test = await operator(async (key, manager) => secretsOf(manager, key).get(nameOf(key)), {
      overHttp: true,
    });
    await test.secrets.create({ metadata: { name: 'web' } });
    const [call] = await ended('GET secrets');
    assert.ok(call);
    const { traceId, spanId } = call.spanContext();
    assert.deepEqual(received.get(String(call.attributes['url.path'])), [`00-${traceId}-${spanId}-01`]);
  });

  it('hide from an instrumented HTTP client below, which would trace and tell a second time', async (t) => {
    const created: (readonly [path: string, headers: number, isRecording: boolean])[] = [];
    const onCreate = (message: unknown): void => {
      // undici publishes the request that it is about to send.
      const { path } = (message as { request: { path: string } }).request;
      const headers = {};
      propagation.inject(context.active(), headers);
      const span = provider.getTracer('undici').startSpan('GET');
      created.push([path, Object.keys(headers).length, span.isRecording()]);
      span.end();
    };
    await using test = await operator(async (key, manager) => secretsOf(manager, key).get(nameOf(key)), {
      overHttp: true,
    });
    channel('undici:request:create').subscribe(onCreate);
    t.after(() => channel('undici:request:create').unsubscribe(onCreate));
    await test.secrets.create({ metadata: { name: 'web' } });
    const [call] = await ended('GET secrets');
    assert.deepEqual(
      created.filter(([path]) => path === call?.attributes['url.path']),
      [[call?.attributes['url.path'], 0, false]],
    );
  });

  it('that get no answer have the exception', async () => {
    await using test = await operator(async (key, manager) => {
      await secretsOf(manager, key).get(nameOf(key), { signal: AbortSignal.abort(new Error('enough')) });
    });
    await test.secrets.create({ metadata: { name: 'web' } });
    const [call] = await ended('GET secrets');
    assert.equal(call?.status.code, SpanStatusCode.ERROR);
    assert.equal(call.attributes['http.response.status_code'], undefined);
    assert.ok(call.events.some(({ name }) => name === 'exception'));
  });

  it('outside of a span are not traced, and within one of the user they are', async () => {
    const secrets = outside.resource(Secret).namespace('default');
    await secrets.list();
    assert.deepEqual(exporter.getFinishedSpans(), []);
    const tracer = provider.getTracer('user');
    await tracer.startActiveSpan('of the user', async (span) => {
      await secrets.list();
      span.end();
    });
    const [call, own] = exporter.getFinishedSpans();
    assert.ok(call && own);
    assert.deepEqual([call.name, parentOf(call)], ['GET secrets', own.spanContext().spanId]);
  });
});

describe('twice', () => {
  it('gives each run and each call one span, until both are disposed', async () => {
    const again = instrument({ tracerProvider: provider });
    await using test = await operator(async (key, manager) => secretsOf(manager, key).get(nameOf(key)));
    const spans = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);
    const traced = ['GET secrets', 'reconcile labels'];
    await test.secrets.create({ metadata: { name: 'one' } });
    await ended('reconcile labels');
    assert.deepEqual(spans(), traced);
    again[Symbol.dispose]();
    // Once is enough: the other holds it.
    again[Symbol.dispose]();
    await test.secrets.create({ metadata: { name: 'two' } });
    await ended('reconcile labels', 2);
    assert.deepEqual(spans(), [...traced, ...traced]);
    tracing[Symbol.dispose]();
    assert.equal(channel('windlass:reconcile').hasSubscribers, false);
  });

  it('with another provider is refused, and can follow the first', () => {
    const tracerProvider = new TracerProvider();
    assert.throws(() => instrument({ tracerProvider }), {
      name: 'AlreadyInstrumentedError',
      code: 'ALREADY_INSTRUMENTED',
      message: /dispose of what that call returned/,
    });
    tracing[Symbol.dispose]();
    instrument({ tracerProvider })[Symbol.dispose]();
    assert.equal(channel('windlass:reconcile').hasSubscribers, false);
  });
});

describe('off', () => {
  it('nothing is recorded or listened to once it is disposed', async () => {
    tracing[Symbol.dispose]();
    const active: unknown[] = [];
    await using test = await operator(async () => active.push(trace.getActiveSpan()));
    await test.secrets.create({ metadata: { name: 'web' } });
    await until('the run', () => active.length > 0);
    assert.deepEqual(active, [undefined]);
    assert.deepEqual(exporter.getFinishedSpans(), []);
    for (const name of ['reconcile:start', 'reconcile', 'request:start', 'request:end'])
      assert.equal(channel(`windlass:${name}`).hasSubscribers, false, name);
  });

  it('a run that is not sampled has calls that are not, and tells the server so', async () => {
    tracing[Symbol.dispose]();
    const unsampled = new TracerProvider({
      sampler: new AlwaysOffSampler(),
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    });
    using _ = instrument({ tracerProvider: unsampled });
    let carried: Record<string, string> = {};
    await using test = await operator(async (key, manager) => {
      await secretsOf(manager, key).get(nameOf(key));
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      carried = carrier;
    });
    await test.secrets.create({ metadata: { name: 'web' } });
    await until('the run', () => 'traceparent' in carried);
    assert.match(carried['traceparent'] ?? '', /-00$/);
    assert.deepEqual(exporter.getFinishedSpans(), []);
  });
});
