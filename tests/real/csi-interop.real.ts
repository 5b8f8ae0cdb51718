// Our gRPC and grpc-go's, each as the client and as the server of the other.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type ControllerService, CsiClient, type CsiServices, GrpcError, serveCsi } from '@windlass/csi';
import { ensureInterop } from './csi-sanity/interop-program.ts';

const run = promisify(execFile);
const MESSAGE = 'größer als 100 %\nzweite Zeile';
let program = '';

before(async () => {
  program = await ensureInterop();
});

async function socketIn(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ci-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'csi.sock');
}

/** Does as its requests say; the Go program has the same. */
const createVolume: NonNullable<ControllerService['createVolume']> = async (request, { signal }) => {
  const { name, capacityRange, parameters } = request;
  if (name === 'fail') throw new GrpcError('OUT_OF_RANGE', MESSAGE);
  if (name === 'wait')
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return {
    volume: { volumeId: name, capacityBytes: capacityRange?.requiredBytes, volumeContext: parameters },
  };
};

const services: CsiServices = {
  identity: {
    getPluginInfo: async () => ({ name: 'interop.csi', vendorVersion: '1' }),
    getPluginCapabilities: async () => ({}),
    probe: async () => ({}),
  },
  controller: { controllerGetCapabilities: async () => ({}), createVolume },
};

const failure = (code: string) => (error: unknown) => error instanceof GrpcError && error.code === code;

test('sidecars and kubelets find our server as they expect it', async (t) => {
  await using server = await serveCsi({ ...services, socketPath: await socketIn(t) });
  const { stdout } = await run(program, ['check', server.socketPath], { timeout: 60_000 });
  assert.deepEqual(stdout.trim().split('\n'), ['ok sidecar', 'ok kubelet']);
});

test('our client finds a server of grpc-go as it expects it', async (t) => {
  const socketPath = await socketIn(t);
  const child = spawn(program, ['serve', socketPath], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await using client = new CsiClient({ socketPath });
  assert.deepEqual(await client.getPluginInfo({}), { name: 'interop.csi', vendorVersion: '1', manifest: {} });
  const parameters = { a: '1', ü: 'x'.repeat(200_000) };
  const { volume } = await client.createVolume({
    name: 'v',
    capacityRange: { requiredBytes: 2 ** 40 },
    parameters,
  });
  assert.equal(volume?.capacityBytes, 2 ** 40);
  assert.deepEqual(volume?.volumeContext, parameters);
  await assert.rejects(client.createVolume({ name: 'fail' }), (error: GrpcError) => {
    assert.equal(error.message, MESSAGE);
    return error.code === 'OUT_OF_RANGE';
  });
  await assert.rejects(client.listSnapshots({}), failure('UNIMPLEMENTED'));
  await assert.rejects(
    client.createVolume({ name: 'v', parameters: { x: 'x'.repeat(5 * 2 ** 20) } }),
    failure('RESOURCE_EXHAUSTED'),
  );
  await assert.rejects(
    client.createVolume({ name: 'wait' }, { timeoutMs: 50 }),
    failure('DEADLINE_EXCEEDED'),
  );
  const abort = new AbortController();
  const call = client.createVolume({ name: 'wait' }, { signal: abort.signal });
  abort.abort();
  await assert.rejects(call, failure('CANCELLED'));
  const names = Array.from({ length: 500 }, (_, index) => String(index));
  const answers = await Promise.all(names.map((name) => client.createVolume({ name })));
  assert.deepEqual(
    answers.map((answer) => answer.volume?.volumeId),
    names,
  );
  // A server that is asked to end tells its clients to go away, and lets their calls end first.
  const last = client.createVolume({ name: 'wait' }, { timeoutMs: 500 });
  await client.createVolume({ name: 'before' });
  child.kill('SIGTERM');
  await assert.rejects(last, failure('DEADLINE_EXCEEDED'));
  await once(child, 'exit');
  await assert.rejects(client.probe({}), failure('UNAVAILABLE'));
});
