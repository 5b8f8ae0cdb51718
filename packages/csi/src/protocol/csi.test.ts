import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { createLogger, FakeClock, type LogRecord, MetricsRegistry } from '@windlass/base';
import { GrpcError, type SocketError } from '@windlass/grpc';
import { CsiClient } from './csi-client.ts';
import { directDriver } from './direct-driver.ts';
import { type ServeCsiOptions, serveCsi } from './serve-csi.ts';
import type { ControllerService, CsiDriver, CsiServices } from './services.ts';

const identity: CsiServices['identity'] = {
  getPluginInfo: async () => ({ name: 'test.csi', vendorVersion: '1' }),
  getPluginCapabilities: async () => ({ capabilities: [] }),
  probe: async () => ({ ready: true }),
};

const withController = (methods: Partial<ControllerService>): CsiServices => ({
  identity,
  controller: { controllerGetCapabilities: async () => ({}), ...methods },
});

async function socketFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'csi-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A driver behind a socket, and its client. */
async function overSocket(
  t: TestContext,
  services: CsiServices,
  options: Partial<ServeCsiOptions> = {},
): Promise<CsiClient> {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const server = await serveCsi({ ...services, socketPath, ...options });
  const client = new CsiClient({ socketPath });
  t.after(async () => {
    await client.close();
    await server.stop();
  });
  return client;
}

const failure =
  (code: string, message: RegExp = /./) =>
  (error: unknown): boolean =>
    error instanceof GrpcError &&
    (assert.equal(error.code, code), assert.match(error.message, message), true);

/** As a service that listens to its signal. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** What a caller can tell must not depend on where the driver is. */
const WAYS: readonly (readonly [string, (t: TestContext, services: CsiServices) => Promise<CsiDriver>])[] = [
  ['over a socket', (t, services) => overSocket(t, services)],
  ['in the same process', async (_, services) => directDriver(services)],
];

for (const [way, make] of WAYS) {
  test(`requests have their defaults and answers theirs, ${way}`, async (t) => {
    const driver = await make(
      t,
      withController({
        createVolume: async (request) => {
          assert.deepEqual(request.secrets, {});
          assert.equal(request.capacityRange?.limitBytes, 0);
          return { volume: { volumeId: request.name } };
        },
      }),
    );
    assert.deepEqual(await driver.createVolume({ name: 'a', capacityRange: { requiredBytes: 1 } }), {
      volume: { volumeId: 'a', capacityBytes: 0, volumeContext: {}, accessibleTopology: [] },
    });
  });

  test(`code and message of a failure arrive, ${way}`, async (t) => {
    const message = 'größer als 100 %\nzweite Zeile';
    const driver = await make(
      t,
      withController({
        createVolume: async () => {
          throw new GrpcError('OUT_OF_RANGE', message);
        },
        deleteVolume: async () => {
          throw new TypeError('a bug');
        },
        listVolumes: () => {
          throw new GrpcError('ABORTED', 'thrown at once');
        },
      }),
    );
    await assert.rejects(driver.createVolume({}), (error: GrpcError) => error.message === message);
    await assert.rejects(driver.createVolume({}), failure('OUT_OF_RANGE'));
    await assert.rejects(driver.deleteVolume({}), failure('INTERNAL', /a bug/));
    await assert.rejects(driver.listVolumes({}), failure('ABORTED'));
  });

  test(`a method that the driver lacks is UNIMPLEMENTED, ${way}`, async (t) => {
    const driver = await make(t, { identity });
    await assert.rejects(driver.createVolume({}), failure('UNIMPLEMENTED', /Controller\/CreateVolume/));
    await assert.rejects(driver.nodeGetInfo({}), failure('UNIMPLEMENTED'));
  });

  test(`an answer that is none is INTERNAL, ${way}`, async (t) => {
    const services = withController({ createVolume: async () => ({ volume: { volumeId: 5 } }) as never });
    await assert.rejects((await make(t, services)).createVolume({}), failure('INTERNAL', /volume\.volumeId/));
  });

  test(`a deadline ends the call on both sides, ${way}`, async (t) => {
    const ended = Promise.withResolvers<string>();
    const driver = await make(
      t,
      withController({
        createVolume: (_, { signal }) => {
          signal.addEventListener('abort', () => ended.resolve(signal.reason.code));
          return untilAborted(signal);
        },
      }),
    );
    await assert.rejects(driver.createVolume({}, { timeoutMs: 20 }), failure('DEADLINE_EXCEEDED'));
    assert.match(await ended.promise, /DEADLINE_EXCEEDED|CANCELLED/);
  });

  test(`a caller that gives up aborts the service's signal, ${way}`, async (t) => {
    const began = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const driver = await make(
      t,
      withController({
        createVolume: (_, { signal }) => {
          signal.addEventListener('abort', () => ended.resolve());
          began.resolve();
          return untilAborted(signal);
        },
      }),
    );
    const abort = new AbortController();
    const call = driver.createVolume({}, { signal: abort.signal });
    await began.promise;
    abort.abort();
    await assert.rejects(call, failure('CANCELLED'));
    await ended.promise;
    await assert.rejects(driver.createVolume({}, { signal: abort.signal }), failure('CANCELLED'));
  });
}

test('many calls share one connection', async (t) => {
  const client = await overSocket(
    t,
    withController({
      deleteVolume: async () => ({}),
      createVolume: async ({ name }) => ({ volume: { volumeId: name } }),
    }),
  );
  const names = Array.from({ length: 300 }, (_, index) => `volume-${index}`);
  const answers = await Promise.all(names.map((name) => client.createVolume({ name })));
  assert.deepEqual(
    answers.map(({ volume }) => volume?.volumeId),
    names,
  );
});

test('a request up to the limit is taken, a longer one refused, and the server goes on', async (t) => {
  const client = await overSocket(
    t,
    withController({ createVolume: async ({ name }) => ({ volume: { capacityBytes: name.length } }) }),
    { maxMessageBytes: 300_000 },
  );
  const name = 'x'.repeat(299_996);
  assert.equal((await client.createVolume({ name })).volume?.capacityBytes, name.length);
  await assert.rejects(
    client.createVolume({ name: `${name}x` }),
    failure('RESOURCE_EXHAUSTED', /at most 300000/),
  );
  assert.equal((await client.createVolume({ name: 'x' })).volume?.capacityBytes, 1);
});

test('the server ends a call by its own limit when the caller allows more', async (t) => {
  const clock = new FakeClock();
  const began = Promise.withResolvers<void>();
  const client = await overSocket(
    t,
    withController({
      createVolume: (_, { signal }) => {
        began.resolve();
        return untilAborted(signal);
      },
    }),
    { clock, maxTimeoutMs: 1000 },
  );
  const call = client.createVolume({});
  await began.promise;
  await clock.advance(1000);
  await assert.rejects(call, failure('DEADLINE_EXCEEDED', /longer than 1000 ms/));
});

test('more calls than the limit are told to come again, also over many connections', async (t) => {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const open = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  let running = 0;
  await using _server = await serveCsi({
    ...withController({
      createVolume: async () => {
        if (++running === 2) both.resolve();
        await open.promise;
        return {};
      },
    }),
    socketPath,
    maxConcurrentCalls: 2,
  });
  await using first = new CsiClient({ socketPath });
  await using second = new CsiClient({ socketPath });
  const calls = [first.createVolume({}), first.createVolume({})];
  await both.promise;
  await assert.rejects(second.createVolume({}), failure('UNAVAILABLE', /2 calls are running/));
  open.resolve();
  await Promise.all(calls);
  await second.createVolume({});
});

test('stop waits for calls that run, and refuses new ones', async (t) => {
  const began = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const server = await serveCsi({
    ...withController({
      createVolume: async () => {
        began.resolve();
        await finish.promise;
        return { volume: { volumeId: 'kept' } };
      },
    }),
    socketPath,
  });
  await using client = new CsiClient({ socketPath });
  const call = client.createVolume({});
  await began.promise;
  const stopped = server.stop();
  finish.resolve();
  assert.equal((await call).volume?.volumeId, 'kept');
  await stopped;
  await assert.rejects(client.probe({}), failure('UNAVAILABLE'));
  await assert.rejects(stat(socketPath), { code: 'ENOENT' });
});

test('stop ends what does not end within the grace', async (t) => {
  const clock = new FakeClock();
  const began = Promise.withResolvers<AbortSignal>();
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const server = await serveCsi({
    ...withController({
      createVolume: (_, { signal }) => {
        began.resolve(signal);
        return new Promise(() => {});
      },
    }),
    socketPath,
    clock,
    graceMs: 1000,
  });
  await using client = new CsiClient({ socketPath });
  const call = client.createVolume({});
  call.catch(() => {});
  const signal = await began.promise;
  const stopped = server.stop();
  // The call's deadline is one timer, the grace the other.
  while (clock.pendingTimers < 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1000);
  await stopped;
  assert.equal(signal.aborted, true);
  await assert.rejects(call, failure('UNAVAILABLE'));
});

test('a client finds a server that comes later, and one that came back', async (t) => {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  await using client = new CsiClient({ socketPath });
  await assert.rejects(client.probe({}), failure('UNAVAILABLE', /ENOENT/));
  for (let round = 0; round < 2; round++) {
    await using _server = await serveCsi({ identity, socketPath });
    assert.deepEqual(await client.probe({}), { ready: true });
  }
  await assert.rejects(client.probe({}), failure('UNAVAILABLE'));
});

test('a connection that is lost in the middle of a call is UNAVAILABLE', async (t) => {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const began = Promise.withResolvers<void>();
  const server = createHttp2Server();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    began.resolve();
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  await using client = new CsiClient({ socketPath });
  const call = client.probe({});
  call.catch(() => {});
  await began.promise;
  for (const socket of sockets) socket.destroy();
  await assert.rejects(call, failure('UNAVAILABLE'));
  await new Promise((resolve) => server.close(resolve));
});

test('a server that does not speak gRPC is told apart', async (t) => {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  const server = createHttp2Server();
  let status = 404;
  server.on('stream', (stream) =>
    (stream as ServerHttp2Stream).respond({ ':status': status }, { endStream: true }),
  );
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  await using client = new CsiClient({ socketPath });
  await assert.rejects(client.probe({}), failure('UNIMPLEMENTED', /HTTP status 404/));
  status = 503;
  await assert.rejects(client.probe({}), failure('UNAVAILABLE', /503/));
  await client.close();
  await new Promise((resolve) => server.close(resolve));
});

test('a socket that a crash left behind is replaced, and is for its owner only', async (t) => {
  const folder = await socketFolder(t);
  const socketPath = path.join(folder, 's.sock');
  // Moved away while it listens: its closing removes nothing, as a crash would not.
  const dead = createServer();
  await new Promise<void>((resolve) => dead.listen(path.join(folder, 'a'), resolve));
  await rename(path.join(folder, 'a'), socketPath);
  await new Promise((resolve) => dead.close(resolve));
  assert.equal((await stat(socketPath)).isSocket(), true);
  await using _server = await serveCsi({ identity, socketPath });
  await using client = new CsiClient({ socketPath });
  assert.deepEqual(await client.probe({}), { ready: true });
  assert.equal((await stat(socketPath)).mode & 0o777, 0o600);
});

test('a socket that somebody serves is refused, and so is what is no socket', async (t) => {
  const folder = await socketFolder(t);
  const socketPath = path.join(folder, 's.sock');
  await using _server = await serveCsi({ identity, socketPath });
  await assert.rejects(
    serveCsi({ identity, socketPath }),
    (error: SocketError) => error.code === 'SOCKET_IN_USE',
  );
  const file = path.join(folder, 'file');
  await writeFile(file, 'precious');
  await assert.rejects(
    serveCsi({ identity, socketPath: file }),
    (error: SocketError) => error.code === 'SOCKET_PATH_INVALID',
  );
  await assert.rejects(serveCsi({ identity, socketPath: path.join(folder, 'x'.repeat(100)) }), /at most 107/);
});

test('a stop leaves the socket of a successor alone', async (t) => {
  const folder = await socketFolder(t);
  const socketPath = path.join(folder, 's.sock');
  const first = await serveCsi({ identity, socketPath });
  await rm(socketPath);
  await using _second = await serveCsi({ identity, socketPath });
  await first.stop();
  await using client = new CsiClient({ socketPath });
  assert.deepEqual(await client.probe({}), { ready: true });
});

test('calls are measured by method and code, and no secret is in a log', async (t) => {
  const records: LogRecord[] = [];
  const metrics = new MetricsRegistry();
  const client = await overSocket(
    t,
    withController({
      createVolume: async ({ name }) => {
        if (name === '') throw new GrpcError('INVALID_ARGUMENT', 'no name');
        return {};
      },
    }),
    { metrics, logger: createLogger((record) => records.push(record), 'debug') },
  );
  await client.createVolume({ name: 'a', secrets: { password: 'hunter2' } });
  await assert.rejects(client.createVolume({ secrets: { password: 'hunter2' } }));
  await assert.rejects(client.nodeGetInfo({}));
  const text = metrics.expose();
  const count = (method: string, code: string): string =>
    `csi_plugin_operations_seconds_count{driver_name="test.csi",grpc_status_code="${code}",method_name="${method}"} 1`;
  assert.ok(text.includes(count('/csi.v1.Controller/CreateVolume', 'OK')), text);
  assert.ok(text.includes(count('/csi.v1.Controller/CreateVolume', 'InvalidArgument')), text);
  assert.ok(text.includes(count('/csi.v1.Node/NodeGetInfo', 'Unimplemented')), text);
  const log = inspect(records, { depth: null });
  assert.ok(log.includes('CreateVolume') && log.includes('no name'), log);
  assert.ok(!log.includes('hunter2'), log);
});

test('bytes that are no HTTP/2 do not stop the server', async (t) => {
  const socketPath = path.join(await socketFolder(t), 's.sock');
  await using _server = await serveCsi({ identity, socketPath });
  await new Promise<void>((resolve) => {
    const socket = connectSocket(socketPath, () => socket.end('GET / HTTP/1.1\r\n\r\n'));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
  });
  await using client = new CsiClient({ socketPath });
  assert.deepEqual(await client.probe({}), { ready: true });
});
