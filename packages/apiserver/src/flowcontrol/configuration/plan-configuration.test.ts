import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import {
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  SUGGESTED_LEVELS,
  SUGGESTED_SCHEMAS,
} from './default-objects.ts';
import { planConfiguration } from './plan-configuration.ts';

const level = (name: string, spec: object): PriorityLevelConfiguration => ({
  metadata: { name, uid: `uid-${name}` },
  spec: { type: 'Limited', ...spec },
});
const reject = (shares: number) => ({
  limited: { nominalConcurrencyShares: shares, limitResponse: { type: 'Reject' } },
});
const queue = (queuing: object) => ({ limited: { limitResponse: { type: 'Queue', queuing } } });
const schema = (name: string, levelName: string, matchingPrecedence?: number): FlowSchema => ({
  metadata: { name, uid: `uid-${name}` },
  spec: {
    priorityLevelConfiguration: { name: levelName },
    ...(matchingPrecedence !== undefined && { matchingPrecedence }),
  },
});

describe('a configuration', () => {
  test('of nothing has the mandatory objects, without uids', () => {
    const plan = planConfiguration([], []);
    assert.deepEqual(
      plan.levels.map(({ name, uid, queuing }) => [name, uid, queuing.type]),
      [
        ['catch-all', '', 'reject'],
        ['exempt', '', 'exempt'],
      ],
    );
    assert.deepEqual(
      plan.schemas.map(({ name }) => name),
      ['exempt', 'catch-all'],
    );
  });

  test('of the defaults asks flow schemas in the order of their precedence, then of their names', () => {
    const plan = planConfiguration(
      [...MANDATORY_LEVELS, ...SUGGESTED_LEVELS],
      [...MANDATORY_SCHEMAS, ...SUGGESTED_SCHEMAS],
    );
    assert.deepEqual(
      plan.schemas.map(({ name, levelName, distinguisher }) => [name, levelName, distinguisher]),
      [
        ['exempt', 'exempt', undefined],
        ['probes', 'exempt', undefined],
        ['system-leader-election', 'leader-election', 'ByUser'],
        ['system-node-high', 'node-high', 'ByUser'],
        ['system-nodes', 'system', 'ByUser'],
        ['kube-controller-manager', 'workload-high', 'ByNamespace'],
        ['kube-scheduler', 'workload-high', 'ByNamespace'],
        ['kube-system-service-accounts', 'workload-high', 'ByNamespace'],
        ['service-accounts', 'workload-low', 'ByUser'],
        ['global-default', 'global-default', 'ByUser'],
        ['catch-all', 'catch-all', 'ByUser'],
      ],
    );
    assert.ok(plan.references.every(({ isDangling }) => !isDangling));
    assert.deepEqual(plan.broken, []);
  });

  test('leaves out schemas whose level is not there, and says so', () => {
    const plan = planConfiguration([level('a', reject(1))], [schema('x', 'a', 5), schema('y', 'gone', 4)]);
    assert.deepEqual(
      plan.references.map(({ schema: { metadata }, isDangling }) => [metadata?.name, isDangling]),
      [
        ['x', false],
        ['y', true],
      ],
    );
    assert.deepEqual(
      plan.schemas.map(({ name }) => name),
      ['exempt', 'x', 'catch-all'],
    );
  });

  test('a schema without precedence has 1000', () => {
    const plan = planConfiguration(
      [level('a', reject(1))],
      [schema('none', 'a'), schema('after', 'a', 1001), schema('before', 'a', 999)],
    );
    assert.deepEqual(
      plan.schemas.map(({ name }) => name),
      ['exempt', 'before', 'none', 'after', 'catch-all'],
    );
  });

  const broken: readonly [string, PriorityLevelConfiguration][] = [
    ['no type', { metadata: { name: 'a' } }],
    ['exempt by another name', { metadata: { name: 'a' }, spec: { type: 'Exempt', exempt: {} } }],
    ['limited by the name of exempt', level('exempt', reject(1))],
    ['limited without limits', level('a', {})],
    ['no response', level('a', { limited: { nominalConcurrencyShares: 3 } })],
    ['queues without queues', level('a', { limited: { limitResponse: { type: 'Queue' } } })],
    ['a hand larger than the deck', level('a', queue({ queues: 2, handSize: 3, queueLengthLimit: 1 }))],
    ['a hand too large for a hash', level('a', queue({ queues: 64, handSize: 15, queueLengthLimit: 1 }))],
  ];
  for (const [name, object] of broken)
    test(`a level with ${name} counts as if it were not there`, () => {
      const plan = planConfiguration([object], [schema('x', object.metadata?.name ?? '')]);
      assert.deepEqual(plan.broken, [object.metadata?.name]);
      assert.equal(plan.references[0]?.isDangling, true);
      assert.deepEqual(
        plan.levels.map((known) => known.name),
        ['catch-all', 'exempt'],
      );
    });

  test('reads the numbers of a level', () => {
    const plan = planConfiguration(
      [
        level('a', {
          limited: {
            nominalConcurrencyShares: 7,
            lendablePercent: 20,
            borrowingLimitPercent: 30,
            limitResponse: { type: 'Queue', queuing: { queues: 9, handSize: 2, queueLengthLimit: 4 } },
          },
        }),
      ],
      [],
    );
    assert.deepEqual(plan.levels[0], {
      name: 'a',
      uid: 'uid-a',
      shares: 7,
      lendablePercent: 20,
      borrowingLimitPercent: 30,
      queuing: { type: 'queue', queues: 9, handSize: 2, queueLengthLimit: 4 },
    });
  });
});
