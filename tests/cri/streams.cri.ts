// Logs, commands and ports of containers that run, asked for through the API server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@windlass/base/testing/until';
import { Containerd } from './harness/containerd.ts';
import { MachineCluster } from './harness/machine-cluster.ts';

const run = promisify(execFile);
let containerd: Containerd;
let cluster: MachineCluster;

before(async () => {
  containerd = await Containerd.start();
  cluster = await MachineCluster.start(containerd);
  await cluster.run('web', {
    command: [
      'sh',
      '-c',
      'mkdir /www; echo page > /www/index.html; for i in 1 2 3 4 5; do echo line $i; done; exec httpd -f -p 80 -h /www',
    ],
  });
  await cluster.running('web');
});

after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await containerd?.[Symbol.asyncDispose]();
});

describe('logs', () => {
  it('are whole, or the end, or so many bytes, with times', async () => {
    await until(
      'all is printed',
      () => cluster.logs('web'),
      (seen) => seen.includes('line 5'),
    );
    assert.equal(await cluster.logs('web'), 'line 1\nline 2\nline 3\nline 4\nline 5\n');
    assert.equal(await cluster.logs('web', { tailLines: 2 }), 'line 4\nline 5\n');
    assert.equal(await cluster.logs('web', { tailLines: 0 }), '');
    assert.equal(await cluster.logs('web', { limitBytes: 8 }), 'line 1\nl');
    assert.match(
      await cluster.logs('web', { tailLines: 1, timestamps: true }),
      /^\d{4}-.*\.\d{1,9}Z line 5\n$/,
    );
  });

  it('of the run before are there too', async () => {
    await cluster.run('runs', { command: ['sh', '-c', 'echo $$ ran; sleep 2; exit 1'] });
    await cluster.when('runs', 'runs again', ({ status }) => {
      const [container] = status?.containerStatuses ?? [];
      return container?.restartCount === 1 && container.state?.running !== undefined;
    });
    assert.match(await cluster.logs('runs', { previous: true }), / ran\n$/);
    await cluster.pods.delete('runs');
  });

  it('are followed until the container ends', async () => {
    await cluster.run(
      'ticks',
      { command: ['sh', '-c', 'for i in 1 2 3; do echo tick $i; sleep 1; done'] },
      { restartPolicy: 'Never' },
    );
    await cluster.when('ticks', 'runs', ({ status }) => status?.phase === 'Running');
    assert.equal(await cluster.logs('ticks', { follow: true }), 'tick 1\ntick 2\ntick 3\n');
  });
});

describe('commands', () => {
  it('have both outputs and a code', async () => {
    await using command = await cluster.pods.exec('web', ['sh', '-c', 'echo out; echo err >&2; exit 3']);
    const [out, err] = await Promise.all(
      [command.stdout, command.stderr].map(async (each) => (each === undefined ? '' : text(each))),
    );
    assert.deepEqual([out, err, await command.exited], ['out\n', 'err\n', { exitCode: 3 }]);
  });

  it('take input, to its end', async () => {
    await using command = await cluster.pods.exec('web', ['wc', '-c'], { stdin: true, stderr: false });
    command.stdin?.end(Buffer.alloc(1_000_000, 'x'));
    assert.ok(command.stdout !== undefined);
    assert.equal((await text(command.stdout)).trim(), '1000000');
  });

  it('that are not there are an error', async () => {
    const command = await cluster.pods.exec('web', ['nosuch']);
    await assert.rejects(command.exited, /executable file not found/);
  });
});

it('attach shows what is printed from then on', async () => {
  await cluster.run('talks', { command: ['sh', '-c', 'while true; do echo hi; sleep 0.3; done'] });
  await cluster.running('talks');
  await using process = await cluster.pods.attach('talks');
  assert.ok(process.stdout !== undefined);
  for await (const chunk of process.stdout) {
    assert.match(String(chunk), /^(hi\n)+$/);
    break;
  }
  await cluster.pods.delete('talks', { gracePeriodSeconds: 0 });
});

it('ports of a pod are reached', async () => {
  const connection = await cluster.pods.portForward('web', 80);
  connection.write('GET / HTTP/1.0\r\n\r\n');
  assert.match(await text(connection), /200 OK[^]*page\n$/);
});

it('what the pod takes is measured', async () => {
  const node = '/api/v1/nodes/this-machine/proxy';
  const path = `${cluster.cluster.kubeconfigPath}`;
  const kubectl = async (...args: string[]): Promise<string> =>
    (await run('kubectl', ['--kubeconfig', path, ...args])).stdout;
  const metrics = await kubectl('get', '--raw', `${node}/metrics/resource`);
  assert.match(
    metrics,
    /container_memory_working_set_bytes\{container="main",namespace="default",pod="web"\} [1-9]/,
  );
  const summary: unknown = JSON.parse(await kubectl('get', '--raw', `${node}/stats/summary`));
  assert.match(JSON.stringify(summary), /"podRef":\{"name":"web"/);
});

it('kubectl logs, exec and cp work', async () => {
  const path = `${cluster.cluster.kubeconfigPath}`;
  const kubectl = async (...args: string[]): Promise<string> =>
    (await run('kubectl', ['--kubeconfig', path, ...args])).stdout;
  assert.equal(await kubectl('logs', 'web', '--tail', '1'), 'line 5\n');
  assert.equal(await kubectl('exec', 'web', '--', 'cat', '/www/index.html'), 'page\n');
  const folder = await mkdtemp(join(containerd.directory, 'cp-'));
  await writeFile(join(folder, 'in'), 'copied');
  await kubectl('cp', join(folder, 'in'), 'web:/tmp/there');
  await kubectl('cp', 'web:/tmp/there', join(folder, 'back'));
  assert.equal(await readFile(join(folder, 'back'), 'utf8'), 'copied');
});
