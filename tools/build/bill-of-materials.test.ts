import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockedPackages } from '../supply/locked-packages.ts';
import { billOfMaterials } from './bill-of-materials.ts';

const INTEGRITY = `sha512-${Buffer.alloc(64, 0xab).toString('base64')}`;
const common = { version: '1.0.0', integrity: INTEGRITY, license: 'MIT' };
const PACKAGES: LockedPackages = {
  '': { name: 'root' },
  'packages/ours': {
    name: '@windlass/ours',
    version: '0.1.0',
    license: 'Apache-2.0',
    dependencies: { a: '1', '@s/c': '1' },
  },
  'packages/windlass': { version: '0.1.0', license: 'Apache-2.0', dependencies: { '@windlass/ours': '1' } },
  'packages/unused': { name: '@windlass/unused', version: '0.1.0', license: 'Apache-2.0' },
  'node_modules/@windlass/ours': { link: true },
  'node_modules/a': { ...common, dependencies: { b: '2' } },
  'node_modules/a/node_modules/b': { ...common, version: '2.0.0', license: 'MIT OR Apache-2.0' },
  'node_modules/@s/c': common,
  'node_modules/b': common,
  'node_modules/tool': common,
};
const contents = { name: 'windlass', version: '0.1.0', license: 'Apache-2.0', packages: PACKAGES };
const MODULES = ['packages/ours/src/a.ts', 'packages/ours/src/b.ts', 'packages/windlass/src/client.ts'];

test('it names what is bundled and what is installed, with hashes, licences and who needs whom', () => {
  const bill = billOfMaterials({ ...contents, modules: MODULES });
  const { component } = bill.metadata;
  assert.equal(component.purl, 'pkg:npm/windlass@0.1.0');
  assert.deepEqual(
    component.components?.map(({ purl, group, name }) => [purl, group, name]),
    [['pkg:npm/%40windlass/ours@0.1.0', '@windlass', 'ours']],
  );
  assert.deepEqual(
    bill.components.map(({ purl, scope, licenses }) => [purl, scope, licenses]),
    [
      ['pkg:npm/%40s/c@1.0.0', 'required', [{ license: { id: 'MIT' } }]],
      ['pkg:npm/a@1.0.0', 'required', [{ license: { id: 'MIT' } }]],
      ['pkg:npm/b@2.0.0', 'required', [{ expression: 'MIT OR Apache-2.0' }]],
    ],
  );
  assert.deepEqual(bill.components[0]?.hashes, [{ alg: 'SHA-512', content: 'ab'.repeat(64) }]);
  assert.deepEqual(bill.dependencies, [
    { ref: 'pkg:npm/windlass@0.1.0', dependsOn: ['pkg:npm/%40s/c@1.0.0', 'pkg:npm/a@1.0.0'] },
    { ref: 'pkg:npm/%40s/c@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/b@2.0.0', dependsOn: [] },
  ]);
});

test('a package of others whose code gets into the bundle is named as such', () => {
  const bill = billOfMaterials({ ...contents, modules: [...MODULES, 'node_modules/tool/lib/x.js'] });
  const tool = bill.components.find(({ name }) => name === 'tool');
  assert.deepEqual(
    [tool?.properties, tool?.scope],
    [[{ name: 'windlass:bundled', value: 'true' }], undefined],
  );
});

test('what is of no known package, or without a licence, is no bill', () => {
  assert.throws(
    () => billOfMaterials({ ...contents, modules: ['elsewhere/x.js'] }),
    /the bundle contains elsewhere\/x\.js, which is of no package/,
  );
  const packages = { ...PACKAGES, 'node_modules/b': { version: '1.0.0' } };
  assert.throws(
    () => billOfMaterials({ ...contents, packages, modules: ['node_modules/b/x.js'] }),
    /package-lock\.json does not say which version or licence node_modules\/b has/,
  );
});
