// Clusters as their users have them: processes that run in the background, are stopped, killed, backed up and reset.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { findCluster } from '@windlass/cluster';

const PROGRAM = new URL('../windlass.ts', import.meta.url).pathname;
/** One node, and drives that need no kernel. */
const SMALL = ['--nodes', '1', '--drives', '1', '--drive-backend', 'directory'];

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let home = '';
const started: number[] = [];

/** In a home directory of its own, without a terminal. */
function windlass(...args: string[]): Promise<Outcome> {
  const { KUBECONFIG: _, XDG_DATA_HOME: __, XDG_STATE_HOME: ___, ...rest } = process.env;
  const env = { ...rest, HOME: home };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { cwd: home, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

interface Ready {
  readonly server: string;
  readonly kubeconfig: string;
  /** Not of one that was started with --no-console. */
  readonly console?: string;
  readonly pid: number;
  readonly log: string;
}

async function startDetached(...flags: string[]): Promise<Ready> {
  const { code, out, err } = await windlass('up', '--detach', '--output', 'json', ...SMALL, ...flags);
  assert.equal(code, 0, err);
  const ready = JSON.parse(out) as Ready;
  started.push(ready.pid);
  return ready;
}

const dataDirOf = (name: string): string => join(home, '.local/share/windlass', name);

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'windlass-home-'));
});
after(async () => {
  for (const pid of started)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should have.
    }
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

describe('clusters with names', () => {
  it('run in the background beside each other, and are listed, shown, backed up, stopped and reset', async () => {
    await mkdir(join(home, '.kube'));
    await writeFile(join(home, '.kube/config'), '# mine\ncurrent-context: prod\n');
    const one = await startDetached('--name', 'one', '--merge-kubeconfig');
    const two = await startDetached('--name', 'two', '--in-memory');
    assert.equal(one.log, join(dataDirOf('one'), 'windlass.log'));
    assert.equal((await stat(one.log)).mode & 0o777, 0o600);

    const page = new URL(one.console ?? '');
    const about = await fetch(`${page.origin}/api/about`, {
      headers: { authorization: `Bearer ${page.searchParams.get('token')}` },
    });
    assert.equal(about.status, 200, 'the address has a token that is right');
    await about.body?.cancel();

    const listed = await windlass('list');
    assert.deepEqual(
      listed.out.split('\n').map((line) => line.split(/ {2,}/)),
      [
        ['NAME', 'STATE', 'ADDRESS', 'DATA DIR'],
        ['one', 'running', one.server, dataDirOf('one')],
        ['two', 'running', two.server, dataDirOf('two')],
        [''],
      ],
    );
    const status = await windlass('status', '--name', 'one', '--output', 'json');
    assert.equal(status.code, 0, status.err);
    const { memoryBytes, startedAt, ...shown } = JSON.parse(status.out) as Record<string, unknown>;
    assert.deepEqual(shown, {
      state: 'running',
      dataDir: dataDirOf('one'),
      name: 'one',
      pid: one.pid,
      server: one.server,
      kubeconfig: one.kubeconfig,
      console: one.console,
      nodes: { ready: 1, total: 1 },
      drives: { ready: 1, total: 1 },
    });
    const shownAsText = await windlass('status', '--name', 'one');
    assert.ok(shownAsText.out.includes(`\nconsole     ${one.console}\n`), shownAsText.out);
    assert.ok(Number(memoryBytes) > 50e6 && !Number.isNaN(Date.parse(String(startedAt))));

    const again = await windlass('up', '--name', 'one', '--detach');
    assert.deepEqual([again.code, again.err.includes(`is open in process ${one.pid}`)], [1, true], again.err);
    const refused = await windlass('reset', '--name', 'one', '--yes');
    assert.match(refused.err, /runs in process \d+; stop it with windlass stop --name one, or add --stop/);

    const backup = await windlass('backup', 'one.backup', '--name', 'one');
    assert.match(backup.out, /one\.backup: \d+ objects at revision \d+, /);
    assert.equal((await windlass('restore', 'one.backup', '--name', 'copy')).code, 0);
    const taken = await windlass('restore', 'one.backup', '--name', 'one');
    assert.deepEqual([taken.code, taken.err.includes('there is a cluster in')], [1, true], taken.err);

    assert.equal(
      (await windlass('stop', '--name', 'one')).out,
      `stopped the cluster in ${dataDirOf('one')}\n`,
    );
    assert.equal((await windlass('stop', '--name', 'two')).code, 0);
    assert.ok(!existsSync(dataDirOf('two')), 'of the one in memory nothing is left');
    const stopped = await windlass('list', '--output', 'json');
    assert.deepEqual(
      (JSON.parse(stopped.out) as { name: string; state: string }[]).map(({ name, state }) => [name, state]),
      [
        ['copy', 'stopped'],
        ['one', 'stopped'],
      ],
    );
    assert.equal((await windlass('status', '--name', 'one')).code, 1);

    // Without a word about the port it is where it was: kubeconfigs stay good.
    const restarted = await startDetached('--name', 'one');
    assert.equal(restarted.server, one.server);
    assert.ok((await readFile(join(home, '.kube/config'), 'utf8')).includes('windlass-one'));
    assert.equal((await windlass('reset', '--name', 'one', '--stop', '--yes')).code, 0);
    assert.equal((await windlass('reset', '--name', 'copy', '--yes')).code, 0);
    assert.equal(
      await readFile(join(home, '.kube/config'), 'utf8'),
      '# mine\ncurrent-context: prod\nclusters: []\nusers: []\ncontexts: []\n',
    );
    assert.equal((await windlass('list')).out, 'there are no clusters; windlass up starts one\n');
    assert.deepEqual(await readdir(join(home, '.local/share/windlass')), []);
  });
});

describe('a cluster in the folder', () => {
  it('that was killed shows as stopped, and a reset deletes what it left', async () => {
    const { pid } = await startDetached('--port', '0');
    process.kill(pid, 'SIGKILL');
    const dataDir = join(home, '.windlass');
    await until('it has ended', async () => (await findCluster(dataDir))?.pid === undefined);
    assert.match((await windlass('status')).out, /^state +stopped$/m);
    const asked = await windlass('reset');
    assert.match(asked.err, /there is no terminal to ask on; add --yes if you mean it/);
    assert.ok(existsSync(dataDir));
    assert.equal((await windlass('reset', '--yes')).out, `deleted the cluster in ${dataDir}\n`);
    assert.ok(!existsSync(dataDir));
    assert.equal((await windlass('reset', '--yes')).code, 0, 'there is nothing to delete, which is as good');
  });

  it('that does not start in the background says why, and leaves no process', async () => {
    const { server, console } = await startDetached('--port', '0', '--in-memory', '--no-console');
    assert.equal(console, undefined);
    assert.doesNotMatch((await windlass('status')).out, /console/);
    const { port } = new URL(server);
    const second = await windlass('up', '--detach', '--data-dir', 'second', '--port', port, ...SMALL);
    assert.equal(second.code, 1);
    assert.match(second.err, new RegExp(`^windlass: port ${port} on 127.0.0.1 is in use`));
    assert.equal((await windlass('stop')).code, 0);
    assert.equal((await findCluster(join(home, 'second')))?.pid, undefined);
  });
});
