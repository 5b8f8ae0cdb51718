import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { realClock, silentLogger } from '@windlass/base';
import { GrpcServer, serverDefaults } from '@windlass/grpc';
import { connectRuntime, RuntimeEndpointError, socketOf } from './connect.ts';
import { FakeRuntime } from './testing/fake-runtime.ts';

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cri-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof RuntimeEndpointError && message.test(error.message) && !error.message.includes('\n');

describe('the endpoint of a runtime', () => {
  it('is a socket', () => {
    assert.equal(socketOf('unix:///run/x.sock'), '/run/x.sock');
    assert.equal(socketOf('/run/x.sock'), '/run/x.sock');
    for (const wrong of ['', 'tcp://a:1', 'unix://relative', 'run/x.sock'])
      assert.throws(() => socketOf(wrong), refused(/the absolute path of a socket.* but it is "/));
  });

  it('says who it is', async (t) => {
    await using fake = await FakeRuntime.start(await folder(t), realClock);
    const { client, version } = await connectRuntime(fake.endpoint, realClock);
    await client.close();
    assert.equal(version.runtimeName, 'fake');
  });

  it('that is not there, or is something else, is named with what to do', async (t) => {
    const directory = await folder(t);
    const at = (name: string): string => `unix://${join(directory, name)}`;
    await assert.rejects(
      connectRuntime(at('none'), realClock),
      refused(/no container runtime listens on .*none: there is no such socket; start/),
    );
    const text = createServer((socket) => socket.resume().end('hello\n')).listen(join(directory, 'text'));
    t.after(() => new Promise((resolve) => text.close(resolve)));
    await assert.rejects(
      connectRuntime(at('text'), realClock),
      refused(/is no container runtime \(.*\); name/),
    );
    await using _other = await GrpcServer.start({
      ...serverDefaults({ socketPath: join(directory, 'grpc') }),
      logger: silentLogger,
      handlers: [],
      observe: () => {},
    });
    await assert.rejects(
      connectRuntime(at('grpc'), realClock),
      refused(/speaks gRPC, but no container runtime interface v1/),
    );
  });
});
