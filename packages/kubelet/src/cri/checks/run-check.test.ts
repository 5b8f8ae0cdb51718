// Probes and hooks, against servers that listen.
import assert from 'node:assert/strict';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { Container, Probe } from '@windlass/apimachinery/api/core/v1';
import { realClock } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import { testPod } from '../../pod/testing.ts';
import type { CriClient } from '../cri-client.ts';
import { type Checked, runHook, runProbe } from './run-check.ts';

async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => new Promise((resolve) => server.close(resolve)));
  // A TCP server's address is an object.
  return (server.address() as AddressInfo).port;
}

const web = (t: TestContext, listener: RequestListener): Promise<number> => listen(t, createHttp(listener));

function checked(
  execSync: CriClient['execSync'] = async () => ({ stdout: '', stderr: '', exitCode: 0 }),
  ports: Container['ports'] = [],
): Checked {
  return {
    // Only this method is called.
    client: { execSync } as CriClient,
    clock: realClock,
    id: 'id',
    pod: testPod(),
    container: { name: 'a', image: 'x', ports },
    address: '127.0.0.1',
  };
}

const probe = (of: Checked, spec: Probe) => runProbe(of, spec);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a probe over HTTP', () => {
  for (const [status, isSuccess] of [
    [200, true],
    [204, true],
    [399, true],
    [400, false],
    [503, false],
  ] as const)
    it(`that is answered with ${status}`, async (t) => {
      const port = await web(t, (_, response) => response.writeHead(status).end('body'));
      const outcome = await probe(checked(), { httpGet: { port } });
      assert.equal(outcome.isSuccess, isSuccess);
      if (!isSuccess) assert.equal(outcome.output, `HTTP probe failed with statuscode: ${status}`);
    });

  it('goes to the path of a named port, with its headers', async (t) => {
    let asked = '';
    const port = await web(t, ({ url, headers }, response) => {
      asked = `${url} ${String(headers['x-a'])} ${headers['user-agent']}`;
      response.end();
    });
    const of = checked(undefined, [{ name: 'web', containerPort: port }]);
    await probe(of, { httpGet: { port: 'web', path: 'p?q', httpHeaders: [{ name: 'X-A', value: '1' }] } });
    assert.equal(asked, '/p?q 1 kube-probe/1.36');
    assert.deepEqual(await probe(of, { httpGet: { port: 'nope' } }), {
      isSuccess: false,
      output: 'container "a" has no port named "nope"',
    });
  });

  it('follows a redirect within its host, and no other', async (t) => {
    const port = await web(t, ({ url }, response) => {
      if (url === '/inner') response.writeHead(302, { location: '/broken' }).end();
      else if (url === '/outer') response.writeHead(302, { location: 'http://example.invalid/' }).end();
      else response.writeHead(500).end();
    });
    assert.equal((await probe(checked(), { httpGet: { port, path: '/inner' } })).isSuccess, false);
    assert.equal((await probe(checked(), { httpGet: { port, path: '/outer' } })).isSuccess, true);
  });

  it('that nobody answers has failed', async (t) => {
    const port = await web(t, () => {});
    const outcome = await probe(checked(), { httpGet: { port }, timeoutSeconds: 1 });
    assert.deepEqual(outcome, {
      isSuccess: false,
      output: 'context deadline exceeded (no answer within 1s)',
    });
  });
});

it('a probe of a port', async (t) => {
  const port = await listen(
    t,
    createServer((socket) => socket.resume().end()),
  );
  assert.equal((await probe(checked(), { tcpSocket: { port } })).isSuccess, true);
  const refused = await probe(checked(), { tcpSocket: { port: 1 } });
  assert.match(refused.output ?? '', /^dial tcp 127\.0\.0\.1:1: .*ECONNREFUSED/);
});

it('a probe over gRPC of what does not speak it', async (t) => {
  const port = await listen(
    t,
    createServer((socket) => socket.resume().end()),
  );
  const outcome = await probe(checked(), { grpc: { port } });
  assert.equal(outcome.isSuccess, false);
  assert.match(outcome.output ?? '', /^the health of "127\.0\.0\.1:\d+" cannot be asked/);
});

describe('a probe by a command', () => {
  for (const [what, answer, expected] of [
    [
      'that ends well',
      async () => ({ stdout: base64('out'), stderr: base64('err'), exitCode: 0 }),
      { isSuccess: true, output: 'outerr' },
    ],
    [
      'that fails',
      async () => ({ stdout: base64('no'), stderr: '', exitCode: 1 }),
      { isSuccess: false, output: 'no' },
    ],
    [
      'that says nothing',
      async () => ({ stdout: '', stderr: '', exitCode: 7 }),
      { isSuccess: false, output: 'exit code 7' },
    ],
    [
      'that takes too long',
      async () => {
        throw new GrpcError('DEADLINE_EXCEEDED', 'timeout');
      },
      { isSuccess: false, output: 'command timed out after 1s' },
    ],
    [
      'that is not there',
      async () => {
        throw new GrpcError('UNKNOWN', 'no such file');
      },
      { isSuccess: false, output: 'no such file' },
    ],
  ] as const)
    it(what, async () =>
      assert.deepEqual(await probe(checked(answer), { exec: { command: ['x'] } }), expected),
    );
});

describe('a hook', () => {
  const { signal } = new AbortController();
  it('that sleeps', async () =>
    assert.equal(await runHook(checked(), { sleep: { seconds: 0 } }, signal), undefined));

  it('that fails says so', async (t) => {
    const failing = checked(async () => ({ stdout: base64('why'), stderr: '', exitCode: 1 }));
    assert.equal(
      await runHook(failing, { exec: { command: ['a', 'b'] } }, signal),
      'Exec lifecycle hook (a b) failed: why',
    );
    const port = await web(t, (_, response) => response.writeHead(500).end());
    assert.equal(
      await runHook(checked(), { httpGet: { port, path: '/x' } }, signal),
      'HTTP lifecycle hook (/x) failed: HTTP probe failed with statuscode: 500',
    );
  });
});
