// The bootstrap runs on whatever Node a machine has, so it is tested on every Node that is on PATH.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { Clone, NPM_CI, nodesOfThisMachine, PLATFORM_PACKAGE } from './bootstrap-testing.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const ENDS_WITH_5 = `
  const end = (signal) => {
    console.log('got', signal);
    setTimeout(() => process.exit(5), 20);
  };
  for (const signal of ${JSON.stringify(SIGNALS)}) process.on(signal, end);
  setInterval(() => {}, 1000);
  console.log('up');
`;

/** Sends the signal as soon as the script is up, and sees it arrive once and the exit code come back. */
async function signalled(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output === 'up\n') child.kill(signal);
  });
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, output], [5, `up\ngot ${signal}\n`]);
}

for (const node of nodesOfThisMachine()) {
  test(`on ${node}`, {
    skip: process.platform === 'win32' && 'the fake npm is a script with a shebang',
  }, async (t) => {
    await t.test(
      'installs once, runs the script on the pinned Node, and hands on its arguments',
      async () => {
        await using clone = new Clone(node);
        const script =
          'console.log(JSON.stringify([process.argv0, process.argv.slice(2), process.env.PATH]))';
        const first = await clone.run(script, ['--flag', 'a b']);
        assert.deepEqual([first.code, first.stderr.split('\n').length], [0, 2], first.stderr);
        const bin = join(clone.path, 'node_modules', PLATFORM_PACKAGE, 'bin');
        const [argv0, args, path] = JSON.parse(first.stdout) as [string, string[], string];
        assert.equal(argv0, join(bin, 'node'));
        assert.deepEqual(args, ['--flag', 'a b']);
        assert.equal(path.split(delimiter)[0], bin);
        assert.deepEqual(clone.npmCalls, [NPM_CI]);

        const second = await clone.run(script);
        assert.deepEqual([second.code, second.stderr, clone.npmCalls.length], [0, '', 1]);

        clone.write('package-lock.json', '{"changed":true}');
        await clone.run(script);
        assert.equal(clone.npmCalls.length, 2, 'another lock file is installed');
      },
    );

    await t.test('flags before the script are for Node', async () => {
      await using clone = new Clone(node);
      clone.write('script.cjs', 'process.exitCode = typeof gc === "function" ? 0 : 9');
      const [code] = (await once(clone.start(['--expose-gc', 'script.cjs']), 'close')) as [number];
      assert.equal(code, 0);
    });

    await t.test('a failed installation ends it with 1 and is tried again the next time', async () => {
      await using clone = new Clone(node);
      clone.write('npm-fails', '');
      const failed = await clone.run('console.log("ran")');
      assert.deepEqual([failed.code, failed.stdout], [1, '']);
      assert.match(failed.stderr, /`npm ci` failed; mend what it says above, then run this again\n$/);
      unlinkSync(join(clone.path, 'npm-fails'));
      const mended = await clone.run('console.log("ran")');
      assert.deepEqual([mended.code, mended.stdout, clone.npmCalls.length], [0, 'ran\n', 2]);
    });

    await t.test('without npm around it, it finds npm on PATH, or says that it cannot', async () => {
      await using clone = new Clone(node);
      const found = await clone.run('console.log("ran")', [], { npm_execpath: undefined });
      assert.deepEqual([found.code, found.stdout, clone.npmCalls], [0, 'ran\n', [NPM_CI]]);
      await using other = new Clone(node);
      const lost = await other.run('', [], { npm_execpath: undefined, PATH: other.path });
      assert.equal(lost.code, 1);
      assert.match(lost.stderr, /cannot run npm: .*ENOENT/);
    });

    await t.test('a platform without a pinned Node runs on its own if that is new enough', async () => {
      await using clone = new Clone(node);
      clone.write('no-pinned-node', '');
      const outcome = await clone.run('console.log(process.execPath)');
      const major = Number(
        execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0],
      );
      if (major >= 24) assert.deepEqual([outcome.code, outcome.stdout], [0, `${node}\n`]);
      else {
        assert.equal(outcome.code, 1);
        assert.match(
          outcome.stderr,
          /there is no pinned Node for \S+ and this Node is v\d+.*; install Node 24 or later\n$/,
        );
      }
    });

    await t.test('a pinned Node that does not start is named', async () => {
      await using clone = new Clone(node);
      await clone.run('');
      const pinned = join(clone.path, 'node_modules', PLATFORM_PACKAGE, 'bin/node');
      unlinkSync(pinned);
      // What a system without the libraries of this Node says: the file is there, its loader is not.
      writeFileSync(pinned, '#!/no/such/loader\n', { mode: 0o755 });
      const outcome = await clone.run('');
      assert.equal(outcome.code, 1);
      assert.ok(outcome.stderr.includes(`cannot run ${pinned}: `), outcome.stderr);
    });

    await t.test('the exit code is the script’s, and 128 + n when a signal ended it', async () => {
      await using clone = new Clone(node);
      assert.equal((await clone.run('process.exitCode = 7')).code, 7);
      assert.equal((await clone.run('process.kill(process.pid, "SIGKILL")')).code, 137);
      assert.equal((await clone.run('throw new Error("x")')).code, 1);
    });

    await t.test('signals go to the script, which decides when and how to end', async () => {
      await using clone = new Clone(node);
      clone.write('script.cjs', ENDS_WITH_5);
      for (const signal of SIGNALS) await signalled(clone.start(['script.cjs']), signal);
    });
  });
}

test('through npm too: no script leaves a shell in between, which would die and tell nobody', async () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const [name, script] of Object.entries(scripts))
    assert.ok(/^exec node tools\/bootstrap\.cjs( |$)/.test(script), `the script ${name} begins with exec`);
  await using clone = new Clone(process.execPath);
  await clone.run('');
  clone.write('script.cjs', ENDS_WITH_5);
  const start = scripts['start']?.replace('packages/cli/src/windlass.ts up', 'script.cjs');
  clone.write('package.json', JSON.stringify({ scripts: { start } }));
  // npm passes on these two.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: clone.path,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await signalled(npm, signal);
  }
});
