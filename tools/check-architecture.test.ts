import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSource } from './check-architecture.ts';

const messages = (name: string, source: string, file = 'packages/x/src/a.ts'): string[] =>
  checkSource(name, file, source).map((finding) => `${finding.line}: ${finding.message}`);

test('a package may import what stands above it, at any distance', () => {
  assert.deepEqual(messages('informer', `import { Heap } from '@windlass/base';`), []);
  assert.deepEqual(messages('informer', `import type { X } from '@windlass/client';`), []);
});

test('a package may not import what stands below it, beside it, or itself', () => {
  assert.deepEqual(messages('base', `\nimport { Queue } from '@windlass/workqueue';`), [
    '2: base may not import workqueue (tools/layers.ts)',
  ]);
  assert.deepEqual(messages('apiserver', `const c = await import('@windlass/client');`), [
    '1: apiserver may not import client (tools/layers.ts)',
  ]);
  assert.deepEqual(messages('base', `import '@windlass/base';`), ['1: imports itself as @windlass/base']);
  assert.equal(messages('client', `import { a } from '../../base/src/heap.ts';`).length, 1);
});

test('time and chance are refused in sources, allowed in base and in tests', () => {
  const source = `const a = Date.now();\nsetTimeout(() => {}, Math.random());`;
  assert.equal(messages('client', source).length, 3);
  assert.deepEqual(messages('base', source), []);
  assert.deepEqual(messages('client', source, 'packages/client/src/a.test.ts'), []);
});

test('a comment or a method of the same name is no finding', () => {
  assert.deepEqual(messages('client', `// Date.now is not used\nclock.setTimeout(run, 5);`), []);
  assert.deepEqual(messages('client', `/* import x from '@windlass/cli' */`), []);
});
