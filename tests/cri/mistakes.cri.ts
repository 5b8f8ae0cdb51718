// What is not there, or is something else: one clear sentence.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { Containerd } from './harness/containerd.ts';
import { MachineCluster, NODE } from './harness/machine-cluster.ts';
import { WindlassProcess } from './harness/windlass-process.ts';

/** What `windlass up` says, and with which code it ends. */
async function up(directory: string, ...args: readonly string[]): Promise<string> {
  await using process = new WindlassProcess(
    'up',
    '--in-memory',
    '--data-dir',
    join(directory, 'up'),
    '--port',
    '0',
    '--drives',
    '0',
    '--no-console',
    ...args,
  );
  const code = await process.exited();
  return `${code}: ${process.output.trim()}`;
}

describe('without a network', () => {
  let containerd: Containerd;
  before(async () => {
    containerd = await Containerd.start({ hasNetwork: false });
  });
  after(() => containerd?.[Symbol.asyncDispose]());

  it('the command says where to put its configuration', async () => {
    assert.equal(
      await up(containerd.directory, '--runtime', 'containerd', '--runtime-endpoint', containerd.endpoint),
      `1: windlass: the container runtime has no network for pods (Network plugin returns error: cni plugin not initialized): put a CNI configuration into ${containerd.networkFolder}`,
    );
  });

  it('the node is not ready, and is when the network is there', async () => {
    await using cluster = await MachineCluster.start(containerd);
    const ready = async (): Promise<string> => {
      const { status } = await cluster.client.resource(Node).get(NODE);
      const found = status?.conditions?.find(({ type }) => type === 'Ready');
      return `${found?.status} ${found?.message}`;
    };
    assert.match(
      await ready(),
      /^False the container runtime has no network for pods .*: put a CNI configuration into \//,
    );
    await containerd.addNetwork();
    await until('it is ready', ready, (said) => said.startsWith('True'));
    await cluster.run('now', { command: ['sleep', '1000'] });
    await cluster.running('now');
    await cluster.pods.delete('now');
    await cluster.gone('now');
  });
});

describe('what is no container runtime', () => {
  it('is named with what to do', async () => {
    await using containerd = await Containerd.start({ hasCri: false });
    const { directory, endpoint, socket } = containerd;
    const other = join(directory, 'other.sock');
    const server = createServer((connection) => connection.resume().end('HTTP/1.1 200 OK\r\n\r\n')).listen(
      other,
    );
    try {
      const said = (at: string): Promise<string> =>
        up(directory, '--runtime', 'containerd', '--runtime-endpoint', at);
      assert.equal(
        await said(endpoint),
        `1: windlass: what listens on ${socket} speaks gRPC, but no container runtime interface v1; for containerd take "cri" off disabled_plugins in its configuration`,
      );
      assert.match(
        await said(`unix://${other}`),
        /^1: windlass: what listens on .*other\.sock is no container runtime \(.*\); name the runtime's socket with --runtime-endpoint$/,
      );
      assert.equal(
        await said('unix:///nowhere.sock'),
        '1: windlass: no container runtime listens on /nowhere.sock: there is no such socket; start containerd, or name the socket with --runtime-endpoint',
      );
      assert.match(
        await said('tcp://1.2.3.4'),
        /the runtime endpoint must be unix:\/\/ and the absolute path of a socket/,
      );
    } finally {
      server.close();
    }
  });

  it('means simulated containers where either will do', async () => {
    await using containerd = await Containerd.start({ hasCri: false });
    await using process = new WindlassProcess(
      'up',
      '--in-memory',
      '--data-dir',
      join(containerd.directory, 'up'),
      '--port',
      '0',
      '--drives',
      '0',
      '--no-console',
      '--runtime',
      'auto',
      '--runtime-endpoint',
      containerd.endpoint,
    );
    assert.match(
      await process.says('Windlass is ready'),
      /containers +simulated \(what listens on .* speaks gRPC, but/,
    );
  });
});
