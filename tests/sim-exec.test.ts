// What the lane of real programs is made of: the go.mod of any release, and the table of what happened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesGoMod } from './real/harness/kubernetes-module.ts';
import { resultTable } from './sim-exec/results.ts';

test('the go.mod of a release has the published form of each module that is staged in its repository', () => {
  const staged = (path: string) => ({ Old: { Path: path }, New: { Path: `./staging/src/${path}` } });
  const other = { Old: { Path: 'example.com/a' }, New: { Path: 'example.com/b' } };
  assert.equal(
    kubernetesGoMod('v1.35.8', {
      Go: '1.25.0',
      Replace: [staged('k8s.io/api'), other, staged('k8s.io/kms')],
    }),
    [
      'module windlass.dev/kubernetes-v1.35.8',
      'go 1.25.0',
      'require k8s.io/kubernetes v1.35.8',
      'replace k8s.io/api => k8s.io/api v0.35.8',
      'replace k8s.io/kms => k8s.io/kms v0.35.8',
      '',
    ].join('\n'),
  );
});

test('what happened more than once is counted, and versions are in order', () => {
  const row = (program: string, what: string, plan = 'stale') => ({ program, plan, what });
  assert.equal(
    resultTable([
      row('manager 1.36', 'holds'),
      row('manager 1.9', 'holds'),
      row('manager 1.9', 'breaks'),
      row('manager 1.9', 'holds'),
      row('manager 1.36', 'holds', 'seed 10'),
      row('manager 1.36', 'breaks', 'seed 9'),
      row('manager 1.36', 'holds'),
    ]),
    [
      'manager 1.9   stale    1 of 3: breaks; 2 of 3: holds',
      'manager 1.36  seed 9   breaks',
      'manager 1.36  seed 10  holds',
      'manager 1.36  stale    2 of 2: holds',
    ].join('\n'),
  );
});

test('without results there is no table', () => {
  assert.equal(resultTable([]), '');
});
