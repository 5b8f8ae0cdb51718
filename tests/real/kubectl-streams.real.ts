// What people do with kubectl in pods: logs, exec, cp, port-forward, attach, debug. Against simulated nodes, with both
// protocols that kubectl knows.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { type RunningCluster, startCluster } from '@windlass/cluster';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let folder: string;
let cluster: RunningCluster;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-streams-'));
  cluster = await startCluster({
    dataDir: join(folder, 'd'),
    inMemory: true,
    port: 0,
    nodes: 1,
    drives: { perNode: 1, backend: 'directory' },
    controllers: ['*'],
  });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      volumes: [{ name: 'data', emptyDir: {} }],
      containers: [
        {
          name: 'main',
          image: 'busybox',
          command: ['sh', '-c', 'echo started; sleep 9999'],
          ports: [{ containerPort: 80 }],
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
    },
  };
  assert.equal((await kubectl(['create', '-f', '-'], JSON.stringify(pod))).code, 0);
  const ready = await kubectl(['wait', '--for=condition=Ready', 'pod/web', '--timeout=60s']);
  assert.equal(ready.code, 0, ready.err);
});
after(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder, ...environment };
  return spawn('kubectl', args, { env, cwd: folder, timeout: 60_000 });
}

function kubectl(args: readonly string[], stdin = '', environment = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = start(args, environment);
    let out = '';
    let err = '';
    child.stdout?.on('data', (chunk) => (out += chunk));
    child.stderr?.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin?.end(stdin);
  });
}

describe('kubectl logs', () => {
  test('shows what a container has printed', async () => {
    assert.equal((await kubectl(['logs', 'web'])).out, 'started\n');
    assert.match((await kubectl(['logs', 'web', '--timestamps'])).out, /^\d{4}-.*Z started\n$/);
  });

  test('says what is wrong', async () => {
    const { code, err } = await kubectl(['logs', 'web', '--previous']);
    assert.equal(code, 1);
    assert.match(err, /previous terminated container "main" in pod "web" not found/);
  });
});

for (const [name, environment] of [
  ['WebSocket', {}],
  ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
] as const)
  describe(`kubectl over ${name}`, () => {
    test('runs commands, with their input, output and exit code', async () => {
      const shell = ['exec', '-i', 'web', '--', 'sh', '-c', 'cat; echo wrong > /nowhere/x; exit 3'];
      const { code, out, err } = await kubectl(shell, 'typed', environment);
      assert.equal(out, 'typed');
      assert.match(err, /can't create \/nowhere\/x/);
      assert.equal(code, 3);
    });

    test('copies files to a pod and back', async () => {
      const source = join(folder, `source-${name}`);
      await mkdir(join(source, 'deep'), { recursive: true });
      const big = Buffer.alloc(2_000_000, name);
      await writeFile(join(source, 'deep/big'), big);
      const there = await kubectl(['cp', `source-${name}`, 'web:/data/copy'], '', environment);
      assert.equal(there.code, 0, there.err);
      const back = await kubectl(['cp', 'web:/data/copy', `back-${name}`], '', environment);
      assert.equal(back.code, 0, back.err);
      assert.deepEqual(await readFile(join(folder, `back-${name}`, 'deep/big')), big);
      await kubectl(['exec', 'web', '--', 'rm', '-rf', '/data/copy']);
    });

    test('forwards ports', async () => {
      const child = start(['port-forward', 'pod/web', ':80'], environment);
      try {
        let said = '';
        child.stdout?.on('data', (chunk) => (said += chunk));
        const port = await until(
          'the port is forwarded',
          () => /127\.0\.0\.1:(\d+)/.exec(said)?.[1],
          (seen) => seen !== undefined,
        );
        for (const path of ['/one', '/two']) {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
          assert.match(await answer.text(), new RegExp(`"pod":"web".*"port":80.*"path":"${path}"`));
        }
      } finally {
        child.kill();
      }
    });

    test('runs a pod, and attaches to it', async () => {
      const script = 'sleep 3; echo printed';
      const pod = `attached-${name.toLowerCase()}`;
      const args = [
        'run',
        pod,
        '--image=busybox',
        '--restart=Never',
        '--attach',
        '--command',
        '--',
        'sh',
        '-c',
        script,
      ];
      const { code, out } = await kubectl(args, '', environment);
      assert.equal(code, 0);
      assert.match(out, /printed/);
    });

    test('is a shell of a new container, which ends with it', async () => {
      const pod = `shell-${name.toLowerCase()}`;
      const args = ['run', pod, '--image=busybox', '--restart=Never', '-i', '--command', '--', 'sh'];
      const { code, out } = await kubectl(args, 'echo in $HOSTNAME\nexit 4\n', environment);
      assert.match(out, new RegExp(`in ${pod}`));
      assert.equal(code, 4);
    });
  });

test('kubectl debug adds a container that can be used', async () => {
  const args = ['debug', 'web', '--image=busybox', '--profile=general', '-c', 'look', '--', 'sleep', '9999'];
  assert.equal((await kubectl(args)).code, 0);
  await until(
    'it runs',
    () => kubectl(['exec', 'web', '-c', 'look', '--', 'hostname']),
    ({ out }) => out === 'web\n',
  );
});
