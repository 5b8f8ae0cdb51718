import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../command-line/exit.ts';
import { parseUpFlags } from './up-flags.ts';

describe('--max-requests-inflight and --max-mutating-requests-inflight', () => {
  const limitsOf = (...args: string[]): [number, number] => {
    const { maxRequestsInflight, maxMutatingRequestsInflight } = parseUpFlags(args);
    return [maxRequestsInflight, maxMutatingRequestsInflight];
  };

  test('are 400 and 200 as with kube-apiserver', () => assert.deepEqual(limitsOf(), [400, 200]));

  test('may be others, also 0 when the other one is not', () => {
    assert.deepEqual(limitsOf('--max-requests-inflight', '800'), [800, 200]);
    assert.deepEqual(limitsOf('--max-requests-inflight=0', '--max-mutating-requests-inflight=50'), [0, 50]);
  });

  for (const [args, message] of [
    [
      ['--max-requests-inflight=-1'],
      /--max-requests-inflight must be a number from 0 to 100000, but it is "-1"/,
    ],
    [['--max-mutating-requests-inflight=many'], /--max-mutating-requests-inflight must be a number/],
    [['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'], /more than 0 together/],
  ] as const)
    test(`${args.join(' ')} is refused`, () => {
      assert.throws(
        () => parseUpFlags(args),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
});

describe('--disable-admission-plugins', () => {
  test('is none by default', () => assert.deepEqual(parseUpFlags([]).disabledAdmissionPlugins, []));

  test('names several', () => {
    const { disabledAdmissionPlugins } = parseUpFlags([
      '--disable-admission-plugins=ServiceAccount,PodSecurity',
    ]);
    assert.deepEqual(disabledAdmissionPlugins, ['ServiceAccount', 'PodSecurity']);
  });

  test('names none that is not known, or not optional', () => {
    assert.throws(
      () => parseUpFlags(['--disable-admission-plugins=ServiceAccount,NodeRestriction']),
      (error) => error instanceof UsageError && /but it has "NodeRestriction"/.test(error.message),
    );
  });
});
