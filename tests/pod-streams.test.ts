// The client's verbs for what runs in pods, from a program through the API server to a simulated node: over HTTPS with
// the credentials of a kubeconfig, and within the process.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { isNotFound, isServiceUnavailable, type Transport } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { createLogger, isCancelled, memoryWriter } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig, type PodsClient, TransportError } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { Faults } from '@windlass/cluster/testing';

let folder: string;
let cluster: RunningCluster;
const clients = new Map<string, Client>();
const WAYS = ['over HTTPS', 'in process', 'from an old server'] as const;

const SCRIPT = 'echo one; echo two ä; echo three; while true; do sleep 1; echo tick; done';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-pod-streams-'));
  cluster = await startCluster({ nodes: 1, port: 0, dataDir: join(folder, 'data') });
  const config = await loadConfig({ path: cluster.kubeconfigPath ?? '' });
  clients.set('over HTTPS', createClient({ config }));
  clients.set('in process', createClient({ transport: cluster.transport() }));
  clients.set('from an old server', createClient({ transport: withoutWebSockets(cluster.transport()) }));
  const pods = podsOf('in process');
  await pods.create({
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', SCRIPT] }] },
  });
  await until('the pod runs', async () => (await pods.get('web')).status?.phase === 'Running');
});

after(async () => {
  for (const client of clients.values()) await client.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A server that speaks SPDY alone. */
function withoutWebSockets(inner: Transport): Transport {
  return {
    ...inner,
    upgrade: async (request) =>
      request.headers?.['upgrade'] === 'websocket' || inner.upgrade === undefined
        ? { status: 400, headers: {}, body: Buffer.from('unknown protocol') }
        : inner.upgrade(request),
  };
}

function podsOf(way: string): PodsClient {
  const client = clients.get(way);
  assert.ok(client !== undefined);
  return client.resource(Pod).namespace('default');
}

for (const way of WAYS)
  describe(`logs ${way}`, () => {
    it('are lines', async () => {
      const seen: string[] = [];
      for await (const line of podsOf(way).logs('web')) {
        seen.push(line);
        if (seen.length === 3) break;
      }
      assert.deepEqual(seen, ['one', 'two ä', 'three']);
    });

    it('are bytes and text', async () => {
      assert.equal(await podsOf(way).logs('web', { limitBytes: 5 }).text(), 'one\nt');
      const bytes = await Array.fromAsync(podsOf(way).logs('web', { limitBytes: 3 }).bytes());
      assert.equal(Buffer.concat(bytes).toString(), 'one');
    });

    it('go on while they are followed, until the signal says stop', async () => {
      const stop = new AbortController();
      const seen: string[] = [];
      const reading = (async () => {
        const logs = podsOf(way).logs('web', { follow: true, tailLines: 0, signal: stop.signal });
        for await (const line of logs) {
          seen.push(line);
          if (seen.length === 2) stop.abort();
        }
      })();
      await assert.rejects(reading, isCancelled);
      assert.deepEqual(seen, ['tick', 'tick']);
    });

    it('have times when asked for', async () => {
      const [line] = await Array.fromAsync(podsOf(way).logs('web', { timestamps: true, limitBytes: 34 }));
      assert.match(line ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z one$/);
    });

    it('are refused for a pod that is not there', async () => {
      await assert.rejects(podsOf(way).logs('gone').text(), isNotFound);
    });
  });

for (const way of WAYS)
  describe(`exec ${way}`, () => {
    it('has both outputs and the exit code', async () => {
      const script = 'echo out; nosuch; exit 3';
      await using command = await podsOf(way).exec('web', ['sh', '-c', script]);
      assert.ok(command.stdout !== undefined && command.stderr !== undefined);
      const [out, err] = await Promise.all([text(command.stdout), text(command.stderr)]);
      assert.equal(out, 'out\n');
      assert.equal(err, 'sh: nosuch: not found\n');
      assert.deepEqual(await command.exited, { exitCode: 3 });
    });

    it('takes more on stdin than fits anywhere, and its end', async () => {
      await using command = await podsOf(way).exec('web', ['cat'], { stdin: true, stderr: false });
      assert.ok(command.stdin !== undefined && command.stdout !== undefined);
      command.stdin.end(Buffer.alloc(3_000_000, 'x'));
      let size = 0;
      for await (const chunk of command.stdout) size += chunk.length;
      assert.equal(size, 3_000_000);
      assert.deepEqual(await command.exited, { exitCode: 0 });
    });

    it('has a terminal of a size', async () => {
      await using command = await podsOf(way).exec('web', ['sh'], { stdin: true, tty: true });
      assert.ok(command.stdin !== undefined && command.stdout !== undefined);
      await command.resize({ columns: 80, rows: 24 });
      command.stdin.write('echo hi\rexit\r');
      assert.equal(await text(command.stdout), 'echo hi\r\nexit\r\nhi\r\n');
      await assert.rejects(
        command.resize({ columns: 0, rows: 24 }),
        /columns of a terminal must be .* but it is 0/,
      );
    });

    it('ends with its signal', async () => {
      const stop = new AbortController();
      const command = await podsOf(way).exec('web', ['sleep', '1000'], { signal: stop.signal });
      stop.abort();
      await assert.rejects(command.exited, isCancelled);
      assert.ok(command.stdout !== undefined);
      assert.equal(await text(command.stdout), '');
    });

    it('says what is wrong before anything is sent, or what the server says', async () => {
      const pods = podsOf(way);
      // @ts-expect-error a text is no list of words
      await assert.rejects(pods.exec('web', 'ls'), /must be a list of words .* but it is "ls"/);
      await assert.rejects(pods.exec('web', ['ls'], { tty: true, stderr: true }), /no stderr of its own/);
      await assert.rejects(pods.exec('gone', ['ls']), isNotFound);
      await assert.rejects(
        pods.exec('web', ['ls'], { container: 'x' }),
        /container x is not valid for pod web/,
      );
      const command = await pods.exec('web', ['nosuch']);
      await assert.rejects(command.exited, /executable file not found/);
    });
  });

for (const way of WAYS)
  it(`attach ${way} shows what is printed from now on`, async () => {
    await using process = await podsOf(way).attach('web');
    assert.ok(process.stdout !== undefined);
    for await (const chunk of process.stdout) {
      assert.equal(String(chunk), 'tick\n');
      break;
    }
  });

for (const way of WAYS)
  describe(`ports ${way}`, () => {
    const GET = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

    it('are a connection each', async () => {
      const connection = await podsOf(way).portForward('web', 80);
      connection.write(GET);
      assert.match(await text(connection), /"pod":"web".*"port":80.*"path":"\/x"/);
      connection.destroy();
    });

    it('are closed by their signal', async () => {
      const stop = new AbortController();
      const connection = await podsOf(way).portForward('web', 80, { signal: stop.signal });
      stop.abort();
      await assert.rejects(text(connection), isCancelled);
    });

    it('are reached at a local port, by many at once', async () => {
      const errors: Error[] = [];
      await using listener = await podsOf(way).listenAndForward('web', 8080, {
        onError: (error) => errors.push(error),
      });
      const url = `http://127.0.0.1:${listener.port}/y`;
      const answers = await Promise.all(
        Array.from({ length: 5 }, async () =>
          (await fetch(url, { headers: { connection: 'close' } })).text(),
        ),
      );
      for (const answer of answers) assert.match(answer, /"pod":"web".*"port":8080.*"path":"\/y"/);
      assert.deepEqual(errors, []);
    });

    it('must be ports', async () => {
      await assert.rejects(podsOf(way).portForward('web', 0), /must be a whole number .* but it is 0/);
      await assert.rejects(podsOf(way).portForward('gone', 80), isNotFound);
    });
  });

it('a client that is closed closes what runs in pods', async () => {
  const config = await loadConfig({ path: cluster.kubeconfigPath ?? '' });
  const client = createClient({ config });
  const command = await client.resource(Pod).namespace('default').exec('web', ['sleep', '1000']);
  await client.close();
  await assert.rejects(command.exited, TransportError);
});

it('faults of a test hold for logs and commands too', async () => {
  const faults = new Faults(cluster.transport());
  await using client = createClient({ transport: faults, maxRetries: 0 });
  const pods = client.resource(Pod).namespace('default');
  assert.equal(await pods.logs('web', { limitBytes: 3 }).text(), 'one');
  faults.fail({ path: /\/log$/, answer: { code: 503, reason: 'ServiceUnavailable' } });
  await assert.rejects(pods.logs('web').text(), isServiceUnavailable);
  const command = await pods.exec('web', ['sleep', '1000']);
  faults.crashAfterWrites(1);
  await pods.patch('web', { metadata: { labels: { seen: 'yes' } } });
  await assert.rejects(command.exited);
  await assert.rejects(pods.exec('web', ['true']), { code: 'CRASHED' });
});

it('a cluster stops, although the caller of a command has just left', async () => {
  const log = memoryWriter();
  const logger = createLogger(log);
  const other = await startCluster({
    nodes: 1,
    port: 0,
    inMemory: true,
    dataDir: join(folder, 'other'),
    logger,
  });
  await using client = createClient({ transport: other.transport() });
  const pods = client.resource(Pod).namespace('default');
  await pods.create({ metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'busybox' }] } });
  await until('the pod runs', async () => (await pods.get('a')).status?.phase === 'Running');
  await (await pods.exec('a', ['test', '-d', '/x'])).close();
  await other.stop();
  assert.deepEqual(
    log.records.filter(({ level }) => level === 'error'),
    [],
  );
});
