// `windlass dev` as its user sees it: a new operator, a change, a mistake, and Ctrl-C.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { until } from '@windlass/base/testing/until';
import { createClient, loadConfig } from '@windlass/client';

const run = promisify(execFile);
const WINDLASS = fileURLToPath(new URL('../packages/cli/src/windlass.ts', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../packages/windlass/', import.meta.url));
const KIND = { group: 'example.com', version: 'v1', kind: 'Site' };

let folder = '';
let project = '';
const kubeconfig = (): string => join(project, '.windlass/dev/kubeconfig');
let child: ChildProcess;
let said = '';

/** Waits for words in what it has said since the last time. */
async function hear(words: RegExp): Promise<void> {
  await until(`windlass dev says ${words}`, () => (words.test(said) ? true : said));
  said = said.slice((words.exec(said)?.index ?? 0) + 1);
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-dev-'));
  project = join(folder, 'site-operator');
  await run(process.execPath, [WINDLASS, 'new', 'site-operator'], { cwd: folder });
  await mkdir(join(project, 'node_modules'));
  await symlink(PACKAGE, join(project, 'node_modules/windlass'));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  child = spawn(process.execPath, [WINDLASS, 'dev'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
});
after(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

describe('windlass dev', () => {
  it('starts a cluster, applies the definitions, runs the program and tells its runs with their reasons', async () => {
    await hear(/applied sites\.example\.com/);
    await hear(/running src\/main\.ts/);
    await using client = createClient({
      config: await loadConfig({ path: kubeconfig() }),
    });
    await client
      .resource(KIND)
      .namespace('default')
      .create({ ...kindOf(), metadata: { name: 'a' }, spec: { image: 'nginx', replicas: 1 } });
    await hear(
      /site default\/a: done in .*\n {4}because of (?:add|initial) of sites\.example\.com default\/a\n {4}apply deployments\.apps default\/a\n/,
    );
    await until('it has acted', async () =>
      (await client.resource(Deployment).list()).items.some(({ metadata }) => metadata.name === 'a'),
    );
  });

  it('starts the program again when a file changes', async () => {
    await appendFile(join(project, 'src/reconciler.ts'), '// More.\n');
    await hear(/src\/reconciler\.ts changed/);
    await hear(/because of initial of sites\.example\.com default\/a/);
  });

  it('makes and applies a definition anew when its kind changes', async () => {
    const file = join(project, 'src/resource.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace(/replicas: /, 'paused: fields.boolean({ default: false }),\n    replicas: '),
    );
    await hear(/src\/resource\.ts changed/);
    await hear(/applied sites\.example\.com/);
    await using client = createClient({ config: await loadConfig({ path: kubeconfig() }) });
    const definition = await client.resource(CustomResourceDefinition).get('sites.example.com');
    assert.match(JSON.stringify(definition.spec), /"paused"/);
    await hear(/because of initial of/);
  });

  for (const [file, words] of [
    ['src/main.ts', /src\/main\.ts ended with 1; it starts again when a file changes/],
    ['src/reconciler.ts', /nothing runs until the next change/],
  ] as const)
    it(`says what is wrong in ${file}, and goes on when it is mended`, async () => {
      const path = join(project, file);
      const text = await readFile(path, 'utf8');
      await writeFile(path, `throw new Error('a planted mistake');\n${text}`);
      await hear(/a planted mistake/);
      await hear(words);
      await writeFile(path, text);
      await hear(/because of initial of/);
    });

  it('stops everything at one Ctrl-C, and leaves nothing behind', async () => {
    // What somebody else has put there is not ours to delete.
    await writeFile(join(project, '.windlass/dev/mine.txt'), 'x');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.deepEqual(await readdir(join(project, '.windlass/dev')), ['mine.txt']);
  });
});

function kindOf(): { apiVersion: string; kind: string } {
  return { apiVersion: `${KIND.group}/${KIND.version}`, kind: KIND.kind };
}
