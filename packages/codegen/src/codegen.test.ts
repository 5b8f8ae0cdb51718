// Declared kinds, their definitions, the types made of those, an API server and the compiler: all agree.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtinSchemas, isInvalid } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import { testSeed } from '@windlass/base/testing';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import * as fc from 'fast-check';
import { customResourceDefinition } from './declare/custom-resource-definition.ts';
import { defineResource } from './declare/define-resource.ts';
import { fields } from './declare/fields.ts';
import { generateModules } from './generate/resource-module.ts';
import { definitionsYaml, parseDefinitions } from './manifests.ts';
import { cases, type Declaration, fieldOf } from './testing/declarations.ts';

const RUNS = 60;
/** What the program imports. */
const OURS = '@windlass/codegen';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const declare = (of: Declaration, kind: string) =>
  defineResource({ group: 'example.com', version: 'v1', kind, spec: fieldOf(of) });

describe('whatever is declared', () => {
  it('is a definition that a server takes, and then holds objects to', async () => {
    await using cluster = await startTestCluster();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ of, allowed, refused }) => {
        const resource = declare(of, `Kind${count++}`);
        const definition = customResourceDefinition(resource);
        const yaml = definitionsYaml([definition]);
        assert.deepEqual(parseDefinitions(yaml), [definition]);
        assert.equal(definitionsYaml(parseDefinitions(yaml)), yaml);
        await cluster.install(definition);
        const objects = cluster.client.resource(resource).namespace('default');
        for (const [at, spec] of allowed.entries()) {
          const { spec: kept } = await objects.create({ metadata: { name: `good-${at}` }, spec });
          assert.deepEqual(kept, of.complete(spec));
        }
        for (const { value: spec } of refused)
          await assert.rejects(
            objects.create({ metadata: { name: 'bad' }, spec }),
            isInvalid,
            `${of.source} with ${JSON.stringify(spec)}`,
          );
      }),
      { numRuns: RUNS },
    );
  });

  it('has the same type by its declaration and by its definition, and the compiler refuses the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-codegen-'));
    const seed = testSeed();
    try {
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const samples = fc.sample(cases, { seed, numRuns: RUNS });
      const kinds = samples.map(({ of }, at) => declare(of, `Kind${at}`));
      for (const { path, text } of generateModules(kinds.map((kind) => customResourceDefinition(kind)))) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      await writeFile(join(folder, 'main.ts'), mainText(samples));
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['**/*.ts'] }),
      );
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      await run(process.execPath, [tsc, '--noUnusedLocals', '--project', folder]).catch(
        ({ stdout }: { stdout: string }) => assert.fail(`WINDLASS_SEED=${seed}:\n${stdout}`),
      );
      // The generated modules are formatted as our own sources are.
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const format = ['format', '--config-path', ROOT, '--vcs-enabled=false', 'example.com'];
      await run(process.execPath, [biome, ...format], { cwd: folder }).catch(
        ({ stdout, stderr }: { stdout: string; stderr: string }) =>
          assert.fail(`WINDLASS_SEED=${seed}:\n${stdout}${stderr}`),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** A program that says of each value whether it has the declared and the generated type. */
function mainText(
  samples: ReturnType<typeof fc.sample<typeof cases extends fc.Arbitrary<infer T> ? T : never>>,
): string {
  const lines = [`import { defineResource, fields, type ObjectOfKind } from '${OURS}';`];
  for (const at of samples.keys())
    lines.push(`import type { Kind${at} as Made${at} } from './example.com/v1/kind${at}.ts';`);
  for (const [at, { of, allowed, refused }] of samples.entries()) {
    lines.push(
      `const declared${at} = defineResource({ group: 'example.com', version: 'v1', kind: 'Kind${at}', spec: ${of.source} });`,
      `type Declared${at} = ObjectOfKind<typeof declared${at}>;`,
      `export const toMade${at} = (value: Declared${at}): Made${at} => value;`,
      `export const toDeclared${at} = (value: Made${at}): Declared${at} => value;`,
    );
    for (const [index, spec] of allowed.entries())
      for (const type of ['Made', 'Declared'])
        lines.push(
          `export const good${type}${at}_${index}: ${type}${at} = { spec: ${JSON.stringify(spec)} };`,
        );
    for (const [index, { value, isTypeError }] of refused.entries()) {
      if (!isTypeError) continue;
      for (const type of ['Made', 'Declared'])
        lines.push(
          '// @ts-expect-error the server refuses it as well',
          `export const bad${type}${at}_${index}: ${type}${at} = { spec: ${JSON.stringify(value)} };`,
        );
    }
  }
  return `${lines.join('\n')}\n`;
}

describe('a declared kind on a server', () => {
  const Backup = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Backup',
    shortNames: ['bk'],
    spec: fields.object(
      {
        min: fields.integer(),
        max: fields.integer(),
        color: fields.enum(['red', 'blue'], {
          default: 'red',
          rules: [{ rule: 'self == oldSelf', message: 'color stays' }],
        }),
      },
      { rules: [{ rule: 'self.min <= self.max', message: 'min must not exceed max' }] },
    ),
    status: fields.object({ taken: fields.optional(fields.integer()), conditions: fields.conditions() }),
    scale: { specReplicasPath: '.spec.max', statusReplicasPath: '.status.taken' },
    selectableFields: ['.spec.color'],
  });
  const start = (): Promise<TestCluster> =>
    startTestCluster({ definitions: [customResourceDefinition(Backup)] });

  it('has its rules, also about changes', async () => {
    await using cluster = await start();
    const backups = cluster.client.resource(Backup).namespace('default');
    const create = (name: string, min: number) =>
      backups.create({ metadata: { name }, spec: { min, max: 2 } });
    await assert.rejects(create('a', 3), /min must not exceed max/);
    await create('a', 1);
    await assert.rejects(backups.patch('a', { spec: { color: 'blue' } }), /color stays/);
  });

  it('has its status apart, its scale and its selectable fields', async () => {
    await using cluster = await start();
    const backups = cluster.client.resource(Backup).namespace('default');
    const spec = { min: 1, max: 2 };
    const created = await backups.create({ metadata: { name: 'a' }, spec, status: { taken: 7 } });
    assert.equal(created.status, undefined);
    await backups.status.patch('a', { status: { taken: 3 } });
    assert.deepEqual((await backups.scale.get('a')).status?.replicas, 3);
    await backups.create({ metadata: { name: 'b' }, spec: { ...spec, color: 'blue' } });
    const { items } = await backups.list({ fieldSelector: 'spec.color=blue' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['b'],
    );
  });

  it('may hold parts of built-in kinds', async () => {
    const Runner = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Runner',
      spec: fields.object({
        template: fields.builtin<PodTemplateSpec>('io.k8s.api.core.v1.PodTemplateSpec'),
        selector: fields.optional(fields.builtin<LabelSelector>(`${META}.LabelSelector`)),
      }),
    });
    await using cluster = await startTestCluster({ definitions: [customResourceDefinition(Runner)] });
    const runners = cluster.client.resource(Runner).namespace('default');
    const template: PodTemplateSpec = {
      metadata: { labels: { app: 'a' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'x',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '500m', memory: '1Gi' } },
            livenessProbe: { httpGet: { port: 'http', path: '/' } },
          },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
      },
    };
    const { spec } = await runners.create({ metadata: { name: 'a' }, spec: { template } });
    const [container] = spec.template.spec?.containers ?? [];
    assert.deepEqual(container?.ports, [{ containerPort: 80, protocol: 'TCP' }]);
    assert.deepEqual(spec.template.metadata, template.metadata);
    assert.deepEqual(container.resources, template.spec?.containers[0]?.resources);
    const bad = { spec: { containers: [{ name: 'main', image: 3 }] } };
    const wrong = { metadata: { name: 'b' }, spec: { template: bad as unknown as PodTemplateSpec } };
    await assert.rejects(runners.create(wrong), /spec\.template\.spec\.containers\[0\]\.image/);
  });

  it('takes any part of any built-in kind, but one that holds itself', async () => {
    await using cluster = await startTestCluster();
    const definitions = cluster.client.resource(CustomResourceDefinition);
    const recursive: string[] = [];
    for (const [at, name] of builtinSchemas().names.entries()) {
      try {
        const spec = fields.builtin(name);
        const kind = defineResource({ group: 'example.com', version: 'v1', kind: `Kind${at}`, spec });
        await definitions.create(customResourceDefinition(kind), { dryRun: true });
      } catch (error) {
        if (!(error instanceof Error && /holds itself/.test(error.message))) throw error;
        recursive.push(name.split('.').at(-1) ?? '');
      }
    }
    assert.deepEqual(recursive, [
      'CustomResourceDefinition',
      'CustomResourceDefinitionList',
      'CustomResourceDefinitionSpec',
      'CustomResourceDefinitionVersion',
      'CustomResourceValidation',
      'JSONSchemaProps',
    ]);
  });
});
