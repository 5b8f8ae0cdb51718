// The package as users get it: built, put into an empty project, type-checked and run there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { BILL_OF_MATERIALS, type BillOfMaterials } from '../tools/build/bill-of-materials.ts';
import { build } from '../tools/build/main.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly scripts?: unknown;
}

type Installed = Pick<Manifest, 'version'> & Partial<Pick<Manifest, 'dependencies'>>;

let project: string;
let manifest: Manifest;

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'windlass-published-'));
  const installed = join(project, 'node_modules/windlass');
  await build(pathToFileURL(`${installed}/`));
  manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest; // written by us
  for (const name of Object.keys(manifest.dependencies)) await install(name);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
});

after(() => rm(project, { recursive: true }));

async function install(name: string): Promise<void> {
  await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
  await symlink(join(MODULES, name), join(project, 'node_modules', name));
}

const node = (args: string[]): Promise<{ stdout: string }> => run(process.execPath, args, { cwd: project });

test('every subpath can be imported, and needs nothing that is not declared', async () => {
  const subpaths = Object.keys(manifest.exports).map((subpath) =>
    subpath.replace('.', 'windlass').replace('*', 'apps/v1'),
  );
  assert.ok(subpaths.includes('windlass/client'));
  for (const subpath of subpaths.filter((each) => each !== 'windlass/opentelemetry')) {
    const { stdout } = await node(['-e', `console.log(Object.keys(await import('${subpath}')).length)`]);
    assert.ok(Number(stdout) > 0, `${subpath} exports nothing`);
  }
});

test("the API's descriptions are in the types and in the table for OpenAPI, and in no module", async () => {
  const WORDS = 'List of containers belonging to the pod.';
  const installed = join(project, 'node_modules/windlass');
  const field = "field('io.k8s.api.core.v1.PodSpec', 'containers')";
  const script = `const { builtinDescriptions } = await import('windlass/apimachinery');
    console.log(builtinDescriptions().${field})`;
  assert.ok((await node(['-e', script])).stdout.startsWith(WORDS));
  const types = await readFile(join(installed, 'types/apimachinery/src/generated/api/core/v1.d.ts'), 'utf8');
  assert.ok(types.includes(WORDS));
  for (const file of await readdir(installed, { recursive: true }))
    if (file.endsWith('.js'))
      assert.ok(!(await readFile(join(installed, file), 'utf8')).includes(WORDS), `${file} has descriptions`);
});

test('OpenTelemetry is for those who install it', async () => {
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['@opentelemetry/api']);
  assert.deepEqual(manifest.peerDependenciesMeta, { '@opentelemetry/api': { optional: true } });
  const importing = (): Promise<{ stdout: string }> =>
    node(['-e', "console.log(typeof (await import('windlass/opentelemetry')).instrument)"]);
  await assert.rejects(importing, /Cannot find package '@opentelemetry\/api'/);
  await install('@opentelemetry/api');
  assert.equal((await importing()).stdout.trim(), 'function');
});

test('it has the types of every group and version', async () => {
  const api = async (folder: string): Promise<string[]> =>
    (await readdir(new URL(folder, import.meta.url), { recursive: true })).toSorted();
  assert.deepEqual(
    await api('../packages/windlass/src/api/'),
    await api('../packages/apimachinery/src/generated/api/'),
  );
});

test('it has no install script, and no tests', async () => {
  assert.equal(manifest.scripts, undefined);
  const files = await readdir(join(project, 'node_modules/windlass'), { recursive: true });
  assert.deepEqual(
    files.filter((file) => /\.test\.|\.ts$/.test(file) && !/\.d\.ts$|^src\//.test(file)),
    [],
  );
  assert.deepEqual(
    files.filter((file) => /^src\/.*(?:\.test\.ts|\.json)$/.test(file)),
    [],
  );
});

test('its maps lead to sources that are there, of code and of types', async () => {
  const built = join(project, 'node_modules/windlass');
  const maps = (await readdir(built, { recursive: true })).filter((file) => file.endsWith('.map'));
  assert.ok(maps.some((file) => file.endsWith('.d.ts.map')) && maps.some((file) => file.endsWith('.js.map')));
  for (const file of maps) {
    const { sources } = JSON.parse(await readFile(join(built, file), 'utf8')) as { sources: string[] }; // written by us
    // The sources of the control plane are not in the package.
    const own = /\bsrc\/(?:base|client|informer|runtime|windlass)\//;
    for (const source of sources.filter((name) => own.test(name) && !name.includes('/windlass/api/')))
      await access(join(built, dirname(file), source));
  }
  const program = `import { Manager } from 'windlass/runtime'; new Manager({}).controller('');`;
  const { stderr } = await run(process.execPath, ['--enable-source-maps', '-e', program], {
    cwd: project,
  }).catch(
    (error: unknown) => error as { stderr: string }, // as execFile rejects
  );
  assert.match(stderr, /windlass\/src\/runtime\/manager\/manager\.ts:\d+/);
});

test('the console’s page is in it, minified, with the licence of what it is made of', async () => {
  const page = join(project, 'node_modules/windlass/console-page');
  assert.deepEqual((await readdir(page)).toSorted(), [
    'LICENSE.preact',
    'app.css',
    'app.js',
    'icon.svg',
    'index.html',
  ]);
  assert.match(await readFile(join(page, 'LICENSE.preact'), 'utf8'), /The MIT License/);
  const lines = (await readFile(join(page, 'app.js'), 'utf8')).split('\n').length;
  assert.ok(lines < 100, `app.js has ${lines} lines`);
});

/** `@scope/name` of `@scope/name/part`, `name` of `name/part`. */
function packageOf(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
}

test('its bill of materials is CycloneDX 1.6, and names exactly what it depends on and contains', async () => {
  const built = join(project, 'node_modules/windlass');
  const bill = JSON.parse(await readFile(join(built, BILL_OF_MATERIALS), 'utf8')) as BillOfMaterials; // written by us
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.version], ['CycloneDX', '1.6', 1]);
  const { component } = bill.metadata;
  assert.equal(component.purl, `pkg:npm/windlass@${manifest.version}`);

  // What npm would install: the dependencies, with theirs in turn.
  const installed = new Map<string, string>();
  const visit = async (name: string): Promise<void> => {
    if (installed.has(name)) return;
    const text = await readFile(join(MODULES, name, 'package.json'), 'utf8');
    const { version, dependencies = {} } = JSON.parse(text) as Installed; // npm has accepted it
    installed.set(name, version);
    for (const next of Object.keys(dependencies)) await visit(next);
  };
  for (const name of Object.keys(manifest.dependencies)) await visit(name);
  const full = ({ group, name }: { group?: string; name: string }): string =>
    group === undefined ? name : `${group}/${name}`;
  const isBundled = ({ properties }: BillOfMaterials['components'][number]): boolean =>
    properties?.some(({ name }) => name === 'windlass:bundled') === true;
  const required = bill.components.filter((each) => !isBundled(each));
  assert.deepEqual(new Map(required.map((each) => [full(each), each.version])), installed);
  // The console's page is one script, with all that it needs.
  assert.deepEqual(bill.components.filter(isBundled).map(full), ['preact']);

  // What the files import from outside themselves is what is installed with them.
  const files = (await readdir(built)).filter((file) => file.endsWith('.js'));
  const sources = await Promise.all(files.map((file) => readFile(join(built, file), 'utf8')));
  const imported = sources.flatMap((source) =>
    [
      ...source.matchAll(
        /(?:^import .*from |\bimport\(|\bcreateRequire\(import\.meta\.url\)\()"([@\w][^":]*)"/gm,
      ),
    ].map(([, path = '']) => packageOf(path)),
  );
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
  assert.deepEqual([...new Set(imported)].toSorted(), Object.keys(declared).toSorted());

  // What they contain is what our packages say that they are made of.
  const contained = new Set<string>();
  const visitOwn = async (name: string): Promise<void> => {
    const path = new URL(`../packages/${name}/package.json`, import.meta.url);
    const { dependencies = {} } = JSON.parse(await readFile(path, 'utf8')) as Installed; // npm has accepted it
    for (const next of Object.keys(dependencies)) {
      const [, own] = /^@windlass\/(.+)$/.exec(next) ?? [];
      if (own === undefined || contained.has(own)) continue;
      contained.add(own);
      await visitOwn(own);
    }
  };
  for (const name of ['windlass', 'cli']) await visitOwn(name);
  contained.add('cli'); // Its commands are built in, though no module of the package needs them.
  contained.add('console'); // So is its page.
  assert.deepEqual(
    component.components?.map(({ name }) => name),
    [...contained].toSorted(),
  );

  const all = [component, ...(component.components ?? []), ...bill.components];
  const refs = new Set(all.map((each) => each['bom-ref']));
  assert.equal(refs.size, all.length, 'every reference is there once');
  for (const each of all) {
    assert.match(each.purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
    assert.ok(['library', 'application'].includes(each.type));
    assert.equal(each.licenses.length, 1);
  }
  for (const { scope } of required) assert.equal(scope, 'required');
  for (const { hashes } of bill.components) {
    assert.match(hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/);
  }
  assert.deepEqual(
    new Set(bill.dependencies.map(({ ref }) => ref)),
    new Set([component, ...bill.components].map((each) => each['bom-ref'])),
  );
  for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
});

test('its types hold in a strict project, and what they promise runs', async () => {
  const source = `
    import { createMemoryStore, ApiServer } from 'windlass/apiserver';
    import { ConfigMap } from 'windlass/api/core/v1';
    import { createClient } from 'windlass/client';
    import { WorkQueue } from 'windlass/workqueue';

    const queue: WorkQueue<string> = new WorkQueue();
    await using server = new ApiServer({ store: createMemoryStore() });
    const client = createClient({ transport: server.transport() });
    await client.resource(ConfigMap).namespace('default').create({ metadata: { name: 'a' }, data: { color: 'blue' } });
    const found = await client.resource(ConfigMap).namespace('default').get('a');
    const color: string | undefined = found.data?.['color'];
    queue.add(color ?? 'none');
    // @ts-expect-error a config map has no such field
    void found.spec;
    console.log(queue.tryGet()?.key);
  `;
  await writeFile(join(project, 'main.ts'), source);
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'nodenext'];
  const types = ['--typeRoots', join(MODULES, '@types'), '--types', 'node'];
  await node([join(MODULES, 'typescript/bin/tsc'), ...options, ...types, 'main.ts']).catch(
    ({ stdout }: { stdout: string }) => assert.fail(stdout),
  );
  assert.equal((await node(['main.ts'])).stdout.trim(), 'blue');
});

test('the commands start', async () => {
  for (const command of ['windlass', 'kubectl-directpv']) {
    const { stdout } = await node([`node_modules/windlass/${command}.js`, '--version']);
    assert.match(stdout, new RegExp(manifest.version.replaceAll('.', '\\.')));
  }
});
