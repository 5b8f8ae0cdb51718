import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareRuns } from './compare.ts';
import { readExpected } from './expected.ts';
import { badgeLine, conformancePage, sigTable } from './page.ts';
import { readReport } from './report.ts';
import type { Spec } from './spec.ts';

const spec = (name: string, outcome: Spec['outcome'], message = ''): Spec => ({
  name,
  sig: name.split(' ')[0]?.slice(1, -1) ?? '',
  outcome,
  seconds: 1,
  message,
});

describe('the report of Ginkgo', () => {
  const report = JSON.stringify([
    {
      SpecReports: [
        { LeafNodeType: 'SynchronizedBeforeSuite', LeafNodeText: '', State: 'passed', RunTime: 1 },
        {
          LeafNodeType: 'It',
          ContainerHierarchyTexts: ['[sig-node] Pods', 'in depth'],
          LeafNodeText: 'run [Conformance]',
          State: 'timedout',
          RunTime: 2e9,
          Failure: { Message: '\n  timed out\nand more' },
        },
        {
          LeafNodeType: 'It',
          ContainerHierarchyTexts: null,
          LeafNodeText: 'alone',
          State: 'pending',
          RunTime: 0,
        },
        {
          LeafNodeType: 'It',
          ContainerHierarchyTexts: ['[sig-apps] Job'],
          LeafNodeText: 'ends',
          State: 'passed',
          RunTime: 5e8,
        },
      ],
    },
    { SpecReports: null },
  ]);

  it('gives every spec by its whole name, sorted, without what is around them', () => {
    assert.deepEqual(readReport(report), [
      { name: '[sig-apps] Job ends', sig: 'sig-apps', outcome: 'passed', seconds: 0.5, message: '' },
      {
        name: '[sig-node] Pods in depth run [Conformance]',
        sig: 'sig-node',
        outcome: 'failed',
        seconds: 2,
        message: 'timed out',
      },
      { name: 'alone', sig: 'other', outcome: 'skipped', seconds: 0, message: '' },
    ]);
  });
});

describe('the list of expected failures', () => {
  it('in the repository can be read', () => {
    for (const [name, reason] of readExpected()) assert.ok(name !== '' && reason !== '');
  });

  it('names no spec twice and no group without a reason', () => {
    const twice = JSON.stringify([
      { reason: 'a', specs: ['x'] },
      { reason: 'b', specs: ['x'] },
    ]);
    assert.throws(() => readExpected(twice), /names "x" twice/);
    assert.throws(() => readExpected(JSON.stringify([{ reason: '', specs: ['x'] }])), /without a reason/);
  });

  const expected = new Map([
    ['[sig-node] b', 'needs a container'],
    ['[sig-node] gone', 'needs a container'],
  ]);
  const specs = [
    spec('[sig-apps] a', 'failed'),
    spec('[sig-node] b', 'passed'),
    spec('[sig-node] c', 'skipped'),
  ];

  it('is compared with a whole run', () => {
    const { worse, better, unknown } = compareRuns(specs, expected, { isWhole: true });
    assert.deepEqual(
      worse.map(({ name }) => name),
      ['[sig-apps] a'],
    );
    assert.deepEqual(
      better.map(({ name }) => name),
      ['[sig-node] b'],
    );
    assert.deepEqual(unknown, ['[sig-node] gone']);
  });

  it('is not called out of date by a part of the suite', () => {
    assert.deepEqual(compareRuns(specs, expected, { isWhole: false }).unknown, []);
  });
});

describe('docs/conformance.md', () => {
  const specs = [
    spec('[sig-apps] a [Conformance]', 'passed'),
    spec('[sig-node] b [Conformance]', 'failed'),
    spec('[sig-node] c [Conformance]', 'failed'),
    spec('[sig-node] d', 'passed'),
  ];
  const expected = new Map([['[sig-node] b [Conformance]', 'Needs a container']]);
  const facts = { version: 'v1.2.3', specs, expected };

  it('counts by group', () => {
    assert.deepEqual(sigTable(specs).split('\n').slice(2), [
      '| sig-apps | 1 | 1 | 0 |',
      '| sig-node | 3 | 1 | 2 |',
      '| **all** | 4 | 2 | 2 |',
    ]);
  });

  it('says in one line how many conformance tests pass', () => {
    assert.equal(badgeLine(facts), '1 of 3 conformance tests of Kubernetes v1.2.3 pass on simulated nodes');
  });

  it('lists what does not pass by its reason, and what should pass apart', () => {
    const page = conformancePage(facts);
    assert.match(page, /### Needs a container \(1\)\n\n- `\[sig-node\] b \[Conformance\]`/);
    assert.match(page, /### Fails, and should not \(1\)\n\n- `\[sig-node\] c \[Conformance\]`/);
  });
});
