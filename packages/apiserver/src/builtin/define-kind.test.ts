import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import { defineKind, rulesByKey } from './define-kind.ts';
import { column, printer } from './shared/columns.ts';

test('rules are written against the types of their kind', () => {
  const kind = defineKind(Lease, {
    defaults(lease) {
      lease.spec ??= {};
      lease.spec.leaseTransitions ??= 0;
      // @ts-expect-error there is no such field
      lease.spec.leaseTransition ??= 0;
    },
    validation: {
      create({ spec = {} }, findings) {
        // @ts-expect-error there is no such field
        if (spec.holder === '') throw new Error('cannot be');
        // @ts-expect-error nor this one
        findings.noneNegative(undefined, spec, ['leaseTransition']);
      },
    },
    printer: printer([column('Holder')], (lease) => [
      lease.spec?.holderIdentity ?? '',
      // @ts-expect-error there is no such field
      lease.spec?.holder ?? null,
    ]),
    selectableFields: {
      // @ts-expect-error there is no such field
      'spec.holder': (lease) => lease.spec?.holder ?? '',
    },
  });
  assert.equal(kind.key, 'coordination.k8s.io/v1/Lease');
});

test('a kind is defined once', () => {
  const { key } = defineKind(PodDisruptionBudget, {});
  assert.throws(
    () =>
      rulesByKey([
        [key, 1],
        ['other', 2],
        [key, 3],
      ]),
    { message: 'the built-in kind policy/v1/PodDisruptionBudget is defined twice; remove one of its rules' },
  );
  assert.deepEqual(
    [
      ...rulesByKey([
        [key, 1],
        ['other', 2],
      ]).keys(),
    ],
    [key, 'other'],
  );
});
