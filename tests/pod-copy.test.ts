// Files into and out of a pod, from a program through the API server to a simulated node, and kubectl beside it.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { isCancelled } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, CopyError, createClient, loadConfig, type PodsClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';

let folder: string;
let cluster: RunningCluster;
const clients = new Map<string, Client>();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-pod-copy-'));
  cluster = await startCluster({ nodes: 1, port: 0, dataDir: join(folder, 'data') });
  clients.set(
    'over HTTPS',
    createClient({ config: await loadConfig({ path: cluster.kubeconfigPath ?? '' }) }),
  );
  clients.set('in process', createClient({ transport: cluster.transport() }));
  const pods = podsOf('in process');
  await pods.create({
    metadata: { name: 'web' },
    spec: {
      containers: [
        { name: 'main', image: 'busybox', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        { name: 'second', image: 'busybox' },
      ],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  });
  await until('the pod runs', async () => (await pods.get('web')).status?.phase === 'Running');
  const tree = join(folder, 'tree');
  await mkdir(join(tree, 'deep'), { recursive: true });
  await writeFile(join(tree, 'deep/big'), Buffer.alloc(1_500_000, 'b'), { mode: 0o640 });
  await writeFile(join(tree, 'run.sh'), 'echo hi\n', { mode: 0o755 });
  await symlink('deep/big', join(tree, 'link'));
});

after(async () => {
  for (const client of clients.values()) await client.close();
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

function podsOf(way: string): PodsClient {
  const client = clients.get(way);
  assert.ok(client !== undefined);
  return client.resource(Pod).namespace('default');
}

async function printed(pods: PodsClient, script: string): Promise<string> {
  await using command = await pods.exec('web', ['sh', '-c', script], { container: 'main', stderr: false });
  assert.ok(command.stdout !== undefined);
  return await text(command.stdout);
}

for (const way of ['over HTTPS', 'in process'])
  describe(`copying ${way}`, () => {
    const container = 'main';

    it('takes a folder there and back, with modes and links', async () => {
      const pods = podsOf(way);
      const remote = `/data/${way.replaceAll(' ', '-')}`;
      const bytes: number[] = [];
      const onProgress = (progress: { readonly bytes: number }): void => void bytes.push(progress.bytes);
      const there = await pods.copyTo('web', join(folder, 'tree'), remote, { container, onProgress });
      assert.deepEqual(there, { files: 2, bytes: 1_500_008, skipped: [] });
      assert.equal(bytes.at(-1), 1_500_008);
      assert.equal(
        await printed(pods, `ls ${remote}; cat ${remote}/run.sh`),
        'deep\nlink\nrun.sh\necho hi\n',
      );
      const back = join(folder, `back ${way}`);
      assert.deepEqual(await pods.copyFrom('web', remote, back, { container }), there);
      assert.equal((await stat(join(back, 'deep/big'))).size, 1_500_000);
      assert.equal((await stat(join(back, 'deep/big'))).mode & 0o777, 0o640);
      assert.equal((await stat(join(back, 'run.sh'))).mode & 0o777, 0o755);
      assert.equal(await readlink(join(back, 'link')), 'deep/big');
    });

    it('puts a file into a folder that is there, or under a new name', async () => {
      const pods = podsOf(way);
      await pods.copyTo('web', join(folder, 'tree/run.sh'), '/data', { container });
      await pods.copyTo('web', join(folder, 'tree/run.sh'), '/data/other.sh', { container });
      assert.equal(await printed(pods, 'cat /data/run.sh /data/other.sh'), 'echo hi\necho hi\n');
      const back = join(folder, `files ${way}`);
      await mkdir(back);
      await pods.copyFrom('web', '/data/other.sh', back, { container });
      await pods.copyFrom('web', '/data/other.sh', join(back, 'renamed'), { container });
      for (const name of ['other.sh', 'renamed'])
        assert.equal(await readFile(join(back, name), 'utf8'), 'echo hi\n');
    });

    it('takes what a folder holds when its path ends with a slash', async () => {
      const pods = podsOf(way);
      await pods.copyTo('web', join(folder, 'tree/run.sh'), '/data/other.sh', { container });
      const back = join(folder, `content ${way}`);
      await pods.copyFrom('web', '/data/', back, { container });
      assert.equal(await readFile(join(back, 'other.sh'), 'utf8'), 'echo hi\n');
    });

    it('says what is missing', async () => {
      const pods = podsOf(way);
      const into = join(folder, 'never');
      await assert.rejects(pods.copyFrom('gone', '/data', into), isNotFound);
      await assert.rejects(
        pods.copyFrom('web', '/data', into, { container: 'x' }),
        /container x is not valid/,
      );
      await assert.rejects(pods.copyFrom('web', '/nope', into, { container }), (error: Error) => {
        assert.ok(error instanceof CopyError);
        assert.equal(error.code, 'COPY_FAILED');
        assert.match(error.message, /tar in the container failed with exit code 2: .*nope.*No such file/);
        return true;
      });
      await assert.rejects(pods.copyTo('web', join(folder, 'nope'), '/data', { container }), {
        code: 'ENOENT',
      });
      await assert.rejects(pods.copyTo('web', '', '/data'), /localPath must be the path of a file/);
      await assert.rejects(stat(into), { code: 'ENOENT' });
    });

    it('stops with its signal', async () => {
      const stop = new AbortController();
      const copying = podsOf(way).copyTo('web', join(folder, 'tree'), '/data/stopped', {
        container,
        signal: stop.signal,
        onProgress: ({ bytes }) => bytes > 100_000 && stop.abort(),
      });
      await assert.rejects(copying, isCancelled);
      const stopOut = new AbortController();
      const out = podsOf(way).copyFrom('web', '/data/', join(folder, `stopped ${way}`), {
        container,
        signal: stopOut.signal,
        onProgress: () => stopOut.abort(),
      });
      await assert.rejects(out, isCancelled);
    });
  });
