import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FakeClock, nextTurn } from '@windlass/base';
import { loadKubeconfig } from '@windlass/client';
import { kubeconfigEntries } from './kubeconfig.ts';
import { mergeIntoKubeconfig, takeOutOfKubeconfig } from './merged-kubeconfig.ts';

const pair = { cert: 'a certificate', key: 'a key' };
const entries = (name?: string, server = 'https://127.0.0.1:7443') =>
  kubeconfigEntries({ name, server, authority: pair, client: pair });

const FOREIGN = `# my clusters
apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: prod # careful
  cluster:
    server: https://prod.example.com
    extensions:
    - name: theirs
      extension: {a: 1}
users:
- name: prod-user
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: login, interactiveMode: Never}
contexts:
- name: prod
  context: {cluster: prod, user: prod-user}
current-context: prod
`;

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-merge-'));
  file = join(folder, '.kube', 'config');
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const homeOf = async (name: string): Promise<string> => {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  return dataDir;
};

describe('a merge into a kubeconfig', () => {
  it('makes the file with its folder, for its owner only, and the cluster is the current one', async () => {
    await mergeIntoKubeconfig(file, entries(), await homeOf('a'));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const { currentContext, clusters, contexts, users } = await loadKubeconfig({ path: file });
    assert.equal(currentContext, 'windlass');
    assert.deepEqual(
      [[...clusters.keys()], [...contexts.keys()], [...users.keys()]],
      [['windlass'], ['windlass'], ['windlass-admin']],
    );
    assert.deepEqual(await readdir(join(folder, '.kube')), ['config'], 'no lock and no draft is left');
  });

  it('keeps everything foreign, and a take-out leaves the file as it was', async () => {
    await mkdir(join(folder, '.kube'));
    await writeFile(file, FOREIGN, { mode: 0o644 });
    const dataDir = await homeOf('a');
    await mergeIntoKubeconfig(file, entries('dev'), dataDir);
    await mergeIntoKubeconfig(file, entries('dev', 'https://127.0.0.1:8000'), dataDir);
    const merged = await loadKubeconfig({ path: file });
    assert.equal(merged.currentContext, 'prod');
    assert.deepEqual([...merged.clusters.keys()], ['prod', 'windlass-dev']);
    assert.equal(merged.clusters.get('windlass-dev')?.server, 'https://127.0.0.1:8000');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await takeOutOfKubeconfig(file, dataDir);
    assert.equal(await readFile(file, 'utf8'), FOREIGN);
  });

  it('follows a new name, and unsets a current context that goes', async () => {
    const dataDir = await homeOf('a');
    await mergeIntoKubeconfig(file, entries('one'), dataDir);
    await mergeIntoKubeconfig(file, entries('two'), dataDir);
    assert.deepEqual([...(await loadKubeconfig({ path: file })).contexts.keys()], ['windlass-two']);
    await takeOutOfKubeconfig(file, dataDir);
    const { currentContext, contexts } = await loadKubeconfig({ path: file });
    assert.deepEqual([currentContext ?? '', contexts.size], ['', 0]);
  });

  it('does not take the name of another cluster, unless that one is gone', async () => {
    const [a, b] = [await homeOf('a'), await homeOf('b')];
    await mergeIntoKubeconfig(file, entries(), a);
    const before = await readFile(file, 'utf8');
    await assert.rejects(mergeIntoKubeconfig(file, entries(), b), {
      code: 'KUBECONFIG_NOT_MERGED',
      message: new RegExp(`its context "windlass" belongs to the cluster in ${a}; choose another name`),
    });
    await takeOutOfKubeconfig(file, b);
    assert.equal(await readFile(file, 'utf8'), before);
    await rm(a, { recursive: true });
    await mergeIntoKubeconfig(file, entries(undefined, 'https://127.0.0.1:9'), b);
    assert.ok((await readFile(file, 'utf8')).includes('https://127.0.0.1:9'));
  });

  it('does not take a name that somebody gave by hand', async () => {
    await mkdir(join(folder, '.kube'));
    await writeFile(file, FOREIGN.replaceAll(/\bprod\b/g, 'windlass'));
    const dataDir = await homeOf('a');
    await assert.rejects(mergeIntoKubeconfig(file, entries(), dataDir), /belongs to something else/);
    await takeOutOfKubeconfig(file, dataDir);
    assert.equal(await readFile(file, 'utf8'), FOREIGN.replaceAll(/\bprod\b/g, 'windlass'));
  });

  it('refuses what is no kubeconfig, without a word of what is in it', async () => {
    await mkdir(join(folder, '.kube'));
    await writeFile(file, 'token: [secret');
    await assert.rejects(mergeIntoKubeconfig(file, entries(), await homeOf('a')), (error) => {
      assert.ok(error instanceof Error && !error.message.includes('secret'), String(error));
      return /no valid YAML/.test(error.message);
    });
    assert.deepEqual(await readdir(join(folder, '.kube')), ['config']);
  });

  it('follows a link, which stays one', async () => {
    const real = join(folder, 'dotfiles');
    await writeFile(real, FOREIGN);
    await mkdir(join(folder, '.kube'));
    await symlink(real, file);
    await mergeIntoKubeconfig(file, entries(), await homeOf('a'));
    assert.equal(await readlink(file), real);
    assert.ok((await readFile(real, 'utf8')).includes('windlass-admin'));
  });

  it('waits for the lock of another program, and then gives up without a change', async () => {
    await mkdir(join(folder, '.kube'));
    await writeFile(file, FOREIGN);
    await writeFile(`${file}.lock`, '');
    const clock = new FakeClock();
    const merging = mergeIntoKubeconfig(file, entries(), await homeOf('a'), { clock });
    const failed = assert.rejects(merging, /another program holds .*config\.lock; delete that file/);
    const over = new AbortController();
    void failed.finally(() => over.abort()).catch(() => {});
    while (!over.signal.aborted) {
      await clock.advance(100);
      await nextTurn();
    }
    await failed;
    assert.equal(await readFile(file, 'utf8'), FOREIGN);
    assert.deepEqual((await readdir(join(folder, '.kube'))).sort(), ['config', 'config.lock']);
  });
});
