import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { projectFiles } from './project-files.ts';
import { projectNames } from './project-names.ts';
import { installedFrom } from './windlass-tarball.ts';

const never = new AbortController().signal;
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-new-'));
  await mkdir(join(folder, 'full'));
  await writeFile(join(folder, 'full/mine.txt'), 'mine');
});
after(() => rm(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const terminal = new RecordingTerminal();
  const code = await main(['new', ...args], terminal, never);
  return { code, output: terminal.output, errors: terminal.errors.replaceAll(`${folder}/`, '') };
}

test('a project has a resource, a reconciler, a test and manifests', async () => {
  const output = join(folder, 'made');
  assert.equal(
    (await run('web', '--kind', 'WebSite', '--group', 'web.example.com', '--output', output)).code,
    0,
  );
  const files = await readdir(output, { recursive: true });
  for (const file of ['README.md', 'src/resource.ts', 'src/reconciler.test.ts', 'manifests/deployment.yaml'])
    assert.ok(files.includes(file), file);
  assert.match(
    await readFile(join(output, 'manifests/crds/web.example.com_websites.yaml'), 'utf8'),
    /kind: WebSite/,
  );
});

test('names come from the name', () => {
  const names = (name: string) => projectNames({ name, group: undefined, kind: undefined });
  assert.deepEqual(names('cron-backup-operator'), {
    name: 'cron-backup-operator',
    group: 'example.com',
    kind: 'CronBackup',
  });
  assert.equal(names('web-controller').kind, 'Web');
});

test('the same names give the same files', () => {
  const names = projectNames({ name: 'a', group: undefined, kind: undefined });
  assert.deepEqual(projectFiles(names), projectFiles(names));
});

for (const [args, code, says] of [
  [['--help'], 0, 'windlass new backup-operator'],
  [[], 2, 'NAME is missing: windlass new backup-operator'],
  [['a', 'b'], 2, 'one NAME is enough, but there is also "b"'],
  [
    ['Big'],
    2,
    'NAME must be lower-case letters, digits and dashes, such as backup-operator, but it is "Big"',
  ],
  [['../a'], 2, 'NAME must be lower-case'],
  [['a', '--group', 'nodots'], 2, '--group must be a domain, such as example.com, but it is "nodots"'],
  [['a', '--kind', 'small'], 2, '--kind must be a name in CamelCase, such as Backup, but it is "small"'],
  [
    ['a', '--kind', 'Deployment'],
    2,
    'the project itself uses the name Deployment; choose another with --kind',
  ],
  [['a', '--flag'], 2, 'there is no flag --flag'],
] as const) {
  test(`windlass new ${args.join(' ')} ends with ${code}`, async () => {
    const { code: ended, output, errors } = await run(...args);
    assert.equal(ended, code, errors);
    assert.ok((code === 0 ? output : errors).includes(says), output + errors);
  });
}

test('a project takes the tarball that it is given', async () => {
  const tarball = join(folder, 'windlass-9.9.9.tgz');
  await writeFile(tarball, 'packed');
  const output = join(folder, 'packed');
  assert.equal((await run('packed', '--windlass', tarball, '--output', output)).code, 0);
  assert.equal(await readFile(join(output, 'vendor/windlass-9.9.9.tgz'), 'utf8'), 'packed');
  assert.match(
    await readFile(join(output, 'package.json'), 'utf8'),
    /"windlass": "file:vendor\/windlass-9.9.9.tgz"/,
  );
  assert.match(await readFile(join(output, 'Dockerfile'), 'utf8'), /^COPY vendor .\/vendor$/m);
  const { code, errors } = await run('a', '--windlass', join(folder, 'nowhere.tgz'));
  assert.equal(code, 2);
  assert.match(errors, /--windlass must be a tarball that npm pack has made, .*but it is "nowhere.tgz"/);
});

test('the tarball that a program was installed from is found', async () => {
  const installer = join(folder, 'installer');
  const program = join(installer, 'node_modules/windlass/windlass.js');
  await mkdir(join(installer, 'node_modules/windlass'), { recursive: true });
  const tarball = join(folder, 'windlass-1.0.0.tgz');
  await writeFile(tarball, '');
  for (const [dependency, found] of [
    ['file:../windlass-1.0.0.tgz', tarball],
    ['file:../gone.tgz', undefined],
    ['^1.0.0', undefined],
  ] as const) {
    await writeFile(
      join(installer, 'package.json'),
      JSON.stringify({ dependencies: { windlass: dependency } }),
    );
    assert.equal(await installedFrom(program), found, dependency);
  }
  assert.equal(await installedFrom(join(folder, 'packages/cli/src/new/x.ts')), undefined);
});

test('what is there is not touched', async () => {
  const { code, errors } = await run('a', '--output', join(folder, 'full'));
  assert.equal(code, 2);
  assert.match(errors, /full is there already and not empty; choose another NAME, or --output/);
  assert.deepEqual(await readdir(join(folder, 'full')), ['mine.txt']);
});
