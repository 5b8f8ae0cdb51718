// When the bootstrap installs, and that two which start at once do not do it both. On every Node that is on PATH.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { Clone, NPM_CI, nodesOfThisMachine, PLATFORM_PACKAGE } from './bootstrap-testing.ts';

const INSTALLING = 'windlass: installing what package-lock.json names (once)\n';
const WAITING =
  /^windlass: another start is installing; this one waits for it \(.*\.windlass-installing\)\n$/;

const here = { os: [process.platform], cpu: [process.arch] };
const LOCKED = {
  '': { name: 'root' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b': { version: '2.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'] },
  'node_modules/musl-or-not': { version: '1.0.0', optional: true, ...here, libc: ['another'] },
  'node_modules/of-an-optional-one': { version: '1.0.0', optional: true },
  [`node_modules/${PLATFORM_PACKAGE}`]: { version: '1.0.0', optional: true, ...here },
};
const INSTALLED = Object.fromEntries(
  Object.entries(LOCKED).filter(([name]) => !/^$|elsewhere|musl|of-an/.test(name)),
);

for (const node of nodesOfThisMachine()) {
  test(`on ${node}`, {
    skip: process.platform === 'win32' && 'the fake npm is a script with a shebang',
  }, async (t) => {
    await t.test('two first starts at once: one installs, the other says that it waits', async () => {
      await using clone = new Clone(node);
      clone.write('npm-takes', '1500');
      clone.write('script.cjs', 'console.log("ran")');
      const first = clone.begin();
      await until('npm runs', () => clone.npmCalls.length === 1);
      const second = clone.begin();
      const outcomes = await Promise.all([first.outcome, second.outcome]);
      for (const { code, stdout } of outcomes) assert.deepEqual([code, stdout], [0, 'ran\n']);
      assert.equal(outcomes[0].stderr, INSTALLING);
      assert.match(outcomes[1].stderr, WAITING);
      assert.deepEqual(clone.npmCalls, [NPM_CI]);
      assert.ok(!existsSync(clone.lock), 'the lock is given back');
    });

    await t.test(
      'of many first starts at once, also over a lock that nobody holds, one installs',
      async () => {
        await using clone = new Clone(node);
        clone.write('npm-takes', '300');
        clone.write('script.cjs', 'console.log("ran")');
        const gone = spawn(node, ['-e', '']);
        await once(gone, 'exit');
        clone.write('.windlass-installing', JSON.stringify({ host: hostname(), pids: [gone.pid] }));
        const outcomes = await Promise.all(Array.from({ length: 5 }, () => clone.begin().outcome));
        for (const { code, stdout, stderr } of outcomes)
          assert.deepEqual([code, stdout], [0, 'ran\n'], stderr);
        assert.deepEqual(clone.npmCalls, [NPM_CI]);
        assert.deepEqual(
          readdirSync(clone.path).filter((name) => name.startsWith('.windlass')),
          [],
        );
      },
    );

    await t.test('the second installs when the first one fails', async () => {
      await using clone = new Clone(node);
      clone.write('npm-takes', '800');
      clone.write('npm-fails-late', '');
      clone.write('script.cjs', 'console.log("ran")');
      const first = clone.begin();
      await until('npm runs', () => clone.npmCalls.length === 1);
      const second = clone.begin();
      assert.equal((await first.outcome).code, 1);
      const { code, stdout, stderr } = await second.outcome;
      assert.deepEqual([code, stdout, clone.npmCalls.length], [0, 'ran\n', 2], stderr);
      assert.ok(stderr.endsWith(INSTALLING), stderr);
    });

    await t.test('a lock that nobody can hold is taken over', async () => {
      const old = new Date(Date.now() - 3_600_000);
      const locks: [what: string, content: string, age?: Date][] = [
        ['half written, long ago', '{"ho', old],
        ['of another machine, long ago', JSON.stringify({ host: 'elsewhere', pids: [1] }), old],
        [
          'of a process whose id is in use again',
          JSON.stringify({ host: hostname(), pids: [process.pid] }),
          old,
        ],
      ];
      for (const [what, content, age] of locks) {
        await using clone = new Clone(node);
        clone.write('.windlass-installing', content);
        if (age !== undefined) utimesSync(clone.lock, age, age);
        const { code, stdout, stderr } = await clone.run('console.log("ran")');
        assert.deepEqual([code, stdout, stderr], [0, 'ran\n', INSTALLING], what);
      }
    });

    await t.test('a start that is killed while npm runs leaves the lock to npm', async () => {
      await using clone = new Clone(node);
      clone.write('npm-takes', '1500');
      clone.write('script.cjs', 'console.log("ran")');
      const first = clone.begin();
      await until('npm runs', () => clone.npmCalls.length === 1);
      first.child.kill('SIGKILL');
      const second = clone.begin();
      await until('the second waits', () => WAITING.test(second.said()));
      const { code, stdout } = await second.outcome;
      assert.deepEqual([code, stdout, clone.npmCalls.length], [0, 'ran\n', 2]);
    });

    await t.test(
      'a signal while it installs ends npm, gives back the lock, and is the exit code',
      async () => {
        await using clone = new Clone(node);
        clone.write('npm-takes', '20000');
        clone.write('script.cjs', 'console.log("ran")');
        const first = clone.begin();
        await until('npm runs', () => clone.npmCalls.length === 1);
        first.child.kill('SIGTERM');
        assert.deepEqual([(await first.outcome).code, existsSync(clone.lock)], [143, false]);
      },
    );

    await t.test('what `npm ci` by hand installed is not installed again', async () => {
      await using clone = new Clone(node);
      clone.write('package-lock.json', JSON.stringify({ packages: LOCKED }));
      clone.installByHand(INSTALLED);
      for (let run = 0; run < 2; run++) {
        const { code, stdout, stderr } = await clone.run('console.log("ran")');
        assert.deepEqual([code, stdout, stderr], [0, 'ran\n', '']);
      }
      assert.deepEqual(clone.npmCalls, []);
      assert.ok(existsSync(join(clone.path, 'node_modules/.windlass-installed')), 'it is noted');
    });

    await t.test('what is not complete is installed', async () => {
      const { 'node_modules/b': _, ...withoutDev } = INSTALLED;
      const { [`node_modules/${PLATFORM_PACKAGE}`]: __, ...withoutNode } = INSTALLED;
      const rows: [what: string, installed: Readonly<Record<string, object>>][] = [
        ['without what is for development', withoutDev],
        ['without the optional package of this platform', withoutNode],
        ['another version', { ...INSTALLED, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
        ['another content', { ...INSTALLED, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } }],
        ['more than there should be', { ...INSTALLED, 'node_modules/c': { version: '1.0.0' } }],
      ];
      for (const [what, installed] of rows) {
        await using clone = new Clone(node);
        clone.write('package-lock.json', JSON.stringify({ packages: LOCKED }));
        clone.installByHand(installed);
        const { code, stderr } = await clone.run('');
        assert.deepEqual([code, stderr, clone.npmCalls], [0, INSTALLING, [NPM_CI]], what);
      }
      await using clone = new Clone(node);
      clone.write('package-lock.json', JSON.stringify({ packages: LOCKED }));
      clone.installByHand(INSTALLED);
      await rm(join(clone.path, 'node_modules/a'), { recursive: true });
      assert.equal((await clone.run('')).stderr, INSTALLING, 'a package was removed by hand');
    });
  });
}
