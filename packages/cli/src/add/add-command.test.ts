import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { homeOf, kebabOf } from './kind-home.ts';
import { importedFrom, withLines } from './operator-file.ts';

const never = new AbortController().signal;
let folder = '';
let project = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-add-'));
  project = join(folder, 'shop-operator');
  const terminal = new RecordingTerminal();
  assert.equal(
    await main(['new', 'shop-operator', '--output', project], terminal, never),
    0,
    terminal.errors,
  );
});
after(() => rm(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const terminal = new RecordingTerminal();
  const code = await main(['add', ...args, '--project', project], terminal, never);
  return { code, output: terminal.output, errors: terminal.errors };
}

const OPERATOR = `import type { Manager } from 'windlass/runtime';
import { Shop } from './resource.ts';
import { Page, other } from './page/resource.ts';
// windlass:imports
export const webhooks = [
  // windlass:webhooks
];
`;

test('lines are put before the marks, as deep as these', () => {
  const text = withLines(OPERATOR, { imports: 'import 1;', webhooks: '...a,' });
  assert.match(text, /resource\.ts';\nimport 1;\n\/\/ windlass:imports\n/);
  assert.match(text, /\[\n {2}\.\.\.a,\n {2}\/\/ windlass:webhooks\n\]/);
  assert.throws(() => withLines(OPERATOR, { controllers: 'x' }), {
    message: /src\/operator\.ts has no line "\/\/ windlass:controllers"; put it back/,
  });
});

test('a kind is found where it is imported from, or in Kubernetes', () => {
  assert.equal(importedFrom(OPERATOR, 'Page'), './page/resource.ts');
  assert.equal(importedFrom(OPERATOR, 'Pag'), undefined);
  const own = { module: './resource.ts', isBuiltin: false };
  assert.deepEqual(homeOf('Shop', OPERATOR), { folder: 'src', ...own });
  assert.deepEqual(homeOf('Page', OPERATOR), { folder: 'src/page', ...own });
  assert.deepEqual(homeOf('StatefulSet', OPERATOR), {
    folder: 'src/stateful-set',
    module: 'windlass/api/apps/v1',
    isBuiltin: true,
  });
  assert.equal(homeOf('Pod', OPERATOR).module, 'windlass/api/core/v1');
  assert.equal(kebabOf('HTTPRoute2Thing'), 'httproute2-thing');
});

for (const [args, code, says] of [
  [['--help'], 0, 'windlass add webhook Pod'],
  [[], 2, 'say what to add: windlass add kind Page'],
  [['page'], 2, 'there is no "windlass add page"; there are kind, webhook, controller'],
  [['kind'], 2, 'KIND is missing: windlass add kind Page'],
  [['kind', 'A', 'B'], 2, 'one KIND is enough, but there is also "B"'],
  [['kind', 'page'], 2, 'NAME must be a kind in CamelCase, such as Page, but it is "page"'],
  [['kind', 'Manager'], 2, 'the project itself uses the name Manager'],
  [['kind', 'Page', '--group', 'x'], 2, '--group must be a domain'],
  [['kind', 'Shop'], 2, 'the operator has the kind Shop already'],
  [['webhook', 'Shop', '--group', 'a.b'], 2, '--group is for windlass add kind'],
  [
    ['webhook', 'Nothing'],
    2,
    'imports no Nothing, and Kubernetes has no such kind; windlass add kind Nothing makes one',
  ],
  [['controller', 'Pod'], 2, 'Pod is a kind of Kubernetes'],
  [['controller', 'Shop'], 2, 'src/reconciler.ts is there already, and is not overwritten'],
  [['kind', 'Page', '--flag'], 2, "Unknown option '--flag'"],
] as const)
  test(`windlass add ${args.join(' ')} ends with ${code}`, async () => {
    const before = await readdir(project, { recursive: true });
    const { code: ended, output, errors } = await run(...args);
    assert.equal(ended, code, output + errors);
    assert.ok((code === 0 ? output : errors).includes(says), output + errors);
    assert.deepEqual(await readdir(project, { recursive: true }), before);
  });

test('a folder that windlass new has not made is refused', async () => {
  const other = join(folder, 'other');
  await mkdir(join(other, 'src'), { recursive: true });
  await writeFile(join(other, 'src/main.ts'), '');
  const terminal = new RecordingTerminal();
  assert.equal(await main(['add', 'kind', 'Page', '--project', other], terminal, never), 2);
  assert.match(
    terminal.errors,
    /there is no project of windlass new here: .* make one with windlass new NAME/,
  );
});

test('what is added is said, and is in the operator', async () => {
  const { output } = await run('webhook', 'Shop');
  assert.match(
    output,
    /^wrote src\/webhooks\.ts\nwrote src\/webhooks\.test\.ts\nchanged src\/operator\.ts\n\nNext: /,
  );
  const operator = await readFile(join(project, 'src/operator.ts'), 'utf8');
  assert.match(operator, /import \{ shopWebhooks \} from '\.\/webhooks\.ts';\n\/\/ windlass:imports/);
  assert.match(operator, / {2}\.\.\.shopWebhooks,\n {2}\/\/ windlass:webhooks/);
});
