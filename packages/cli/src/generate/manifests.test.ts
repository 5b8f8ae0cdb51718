import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeYaml, decodeYamlDocuments } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { writeAccessFile } from '@windlass/codegen';
import { validate } from '@windlass/runtime';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { chartFiles } from './chart-files.ts';
import { operatorManifests } from './operator-manifests.ts';

const never = new AbortController().signal;
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-manifests-'));
  const runtime = new URL('../../../runtime/src/index.ts', import.meta.url).href;
  const core = new URL('../../../apimachinery/src/generated/api/core/v1.ts', import.meta.url).href;
  await writeFile(
    join(folder, 'operator.mjs'),
    `import { validate } from '${runtime}';
import { ConfigMap } from '${core}';
export const webhooks = [validate(ConfigMap, () => {})];
`,
  );
  await writeFile(join(folder, 'empty.mjs'), 'export const name = 1;\n');
  await mkdir(join(folder, 'none'));
});
after(() => rm(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const terminal = new RecordingTerminal();
  const code = await main(
    ['generate', ...args.map((arg) => arg.replace('@', `${folder}/`))],
    terminal,
    never,
  );
  return {
    code,
    output: terminal.output.replaceAll(`${folder}/`, ''),
    errors: terminal.errors.replaceAll(`${folder}/`, ''),
  };
}

describe('windlass generate manifests', () => {
  for (const [args, says] of [
    [['--from', '@nothing.mjs', '--name', 'a'], '--from nothing.mjs cannot be imported'],
    [['--from', '@empty.mjs', '--name', 'a'], 'empty.mjs exports neither kinds nor webhooks'],
    [['--from', '@operator.mjs', '--name', 'Big'], '--name must be lower-case letters, digits and dashes'],
    [
      ['--from', '@operator.mjs', '--name', 'a', '--access', '@none'],
      'none does not say what the operator asks of the API; run its tests first, with recordAccess in them, or give --without-rbac',
    ],
    [
      ['--from', '@operator.mjs', '--name', 'a', '--without-rbac', '--webhook-url', 'http://x'],
      '--webhook-url must begin with https://, but it is "http://x"',
    ],
  ] as const)
    it(`${args.join(' ')} is refused`, async () => {
      const { code, errors } = await run('manifests', ...args, '--output', '@out');
      assert.equal(code, 2, errors);
      assert.ok(errors.includes(says), errors);
    });

  it('writes, checks, and names what is stale', async () => {
    const access = { group: 'apps', resource: 'deployments', namespace: undefined, verbs: ['get'] };
    writeAccessFile(join(folder, 'access'), { test: join(folder, 'operator.mjs'), accesses: [access] });
    const flags = ['--from', '@operator.mjs', '--name', 'a', '--access', '@access', '--output', '@out'];
    const { output } = await run('manifests', ...flags);
    assert.equal(output, 'wrote out/kustomization.yaml\nwrote out/rbac.yaml\nwrote out/webhooks.yaml\n');
    assert.equal((await run('manifests', ...flags, '--check')).code, 0);
    await writeFile(join(folder, 'out/pdb.yaml'), 'kind: PodDisruptionBudget\n');
    const { code, errors } = await run('manifests', ...flags, '--check');
    assert.equal(code, 1);
    assert.match(errors, /out is stale: kustomization\.yaml differs/);
    await run('manifests', ...flags);
    assert.deepEqual(decodeYaml(await readFile(join(folder, 'out/kustomization.yaml'), 'utf8')).value, {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['pdb.yaml', 'rbac.yaml', 'webhooks.yaml'],
    });
  });

  it('has no Service where there is a URL', () => {
    const files = operatorManifests({
      name: 'a',
      namespace: 'b',
      definitions: [],
      webhooks: [validate(ConfigMap, () => {}, { failurePolicy: 'Ignore', timeoutSeconds: 3 })],
      accesses: undefined,
      webhookUrl: 'https://127.0.0.1:9443/',
      own: ['namespace.yaml', 'a.yaml'],
    });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['webhooks.yaml', 'kustomization.yaml'],
    );
    const [configuration] = decodeYamlDocuments(files[0]?.text ?? '').map(({ value }) => value);
    assert.deepEqual(configuration, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'a' },
      webhooks: [
        {
          name: 'validate.configmaps.core',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://127.0.0.1:9443/validate/core/v1/configmaps' },
          rules: [
            {
              apiGroups: [''],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['configmaps'],
              scope: 'Namespaced',
            },
          ],
          matchPolicy: 'Equivalent',
          failurePolicy: 'Ignore',
          timeoutSeconds: 3,
          sideEffects: 'None',
        },
      ],
    });
    assert.match(files[1]?.text ?? '', /resources:\n- namespace\.yaml\n- a\.yaml\n- webhooks\.yaml\n/);
  });
});

describe('windlass generate chart', () => {
  it('needs manifests', async () => {
    const { code, errors } = await run('chart', '--from', '@none', '--name', 'a', '--output', '@chart');
    assert.equal(code, 2);
    assert.match(errors, /none\/kustomization\.yaml cannot be read; run windlass generate manifests first/);
  });

  it('takes what looks like an action in a text for text', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { a: 'use {{ x }}' },
    };
    const files = chartFiles({
      name: 'a',
      version: '1.2.3',
      description: '',
      namespace: 'b',
      manifests: [{ path: 'a.yaml', objects: [object] }],
    });
    assert.match(files.at(-1)?.text ?? '', /a: use \{\{ "\{\{" \}\} x \}\}\n/);
    assert.match(files[0]?.text ?? '', /^version: 1\.2\.3$/m);
  });
});
