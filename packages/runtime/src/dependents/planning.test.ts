// The decisions that need no server: what is declared, how it stands, and what is said of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Cached,
  type KubeObject,
  newConflict,
  newForbidden,
  newInternalError,
  StatusError,
} from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import { FakeClock } from '@windlass/base';
import { refusalOf } from './apply-child.ts';
import { child } from './child.ts';
import { type ChildReason, verdictsOf } from './conditions.ts';
import { type Declared, declare, type Family, type MaybeChild } from './declaration.ts';
import { asksTheSame } from './fresh-parent.ts';
import { markingPatch, recordedKinds } from './record.ts';
import { statusPatch } from './status.ts';
import { Website } from './website-testing.ts';

const MARK = 'dependents.windlass.dev/website';
const family: Family = { parentType: Website, owns: [ConfigMap, ClusterRole, Deployment], mark: MARK };
const object = (
  metadata: Partial<Cached<KubeObject>['metadata']> = {},
  more: object = {},
): Cached<KubeObject> => ({
  ...more,
  metadata: {
    name: 'shop',
    namespace: 'default',
    uid: 'u1',
    resourceVersion: '7',
    creationTimestamp: '',
    ...metadata,
  },
});
const map = (name: string) => child(ConfigMap, { metadata: { name } });

describe('a declaration', () => {
  const plan = (...children: MaybeChild[]): Declared[] => declare(object(), children, family);

  test('is completed with kind, namespace, owner and marks; the status is none of its business', () => {
    const fields: object = { data: { a: 'b', c: undefined }, status: {} };
    const [made] = plan(child(ConfigMap, { metadata: { name: 'm', labels: { app: 'x' } }, ...fields }));
    assert.deepEqual(made?.configuration, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'm',
        namespace: 'default',
        labels: { app: 'x', [MARK]: 'u1' },
        annotations: { [MARK]: 'default/shop m' },
        ownerReferences: [
          {
            apiVersion: 'example.com/v1',
            kind: 'Website',
            name: 'shop',
            uid: 'u1',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      data: { a: 'b' },
    });
  });

  test('has an owner reference only where the garbage collector follows it', () => {
    const elsewhere = child(ConfigMap, { metadata: { name: 'm', namespace: 'other' } });
    const role = child(ClusterRole, { metadata: { name: 'r' } });
    const owned = plan(map('m'), elsewhere, role).map(({ key, byReference }) => [key, byReference]);
    assert.deepEqual(owned, [
      ['default/m', true],
      ['other/m', false],
      ['r', false],
    ]);
    const atCluster: Family = { ...family, parentType: ClusterRole };
    const { namespace: _, ...metadata } = object().metadata;
    const all = declare({ metadata }, [elsewhere, role], atCluster);
    assert.deepEqual(
      all.map(({ byReference }) => byReference),
      [true, true],
    );
    assert.throws(
      () => declare({ metadata }, [map('m')], atCluster),
      /ConfigMap m has no metadata\.namespace/,
    );
  });

  test('is put in order, and leaves out what is not wanted', () => {
    const [a, b] = [map('a'), map('b')];
    const last = child(ConfigMap, { metadata: { name: 'c' } }, { after: [b, a] });
    assert.deepEqual(
      plan(last, false, a, undefined, null, '', b).map(({ key }) => key),
      ['default/b', 'default/a', 'default/c'],
    );
  });

  test('that makes no sense is refused with what to do', () => {
    const rows: readonly [MaybeChild[], RegExp][] = [
      [[map('a'), map('a')], /^ConfigMap default\/a is declared twice$/],
      [[map('')], /has no metadata\.name; give it one$/],
      [
        [child(Secret, { metadata: { name: 's' } })],
        /^Secret s is of a kind that is not watched; add Secret to owns$/,
      ],
      [
        [child(ConfigMap, { metadata: { name: 'b' } }, { after: [map('a')] })],
        /waits for ConfigMap a, which is not declared/,
      ],
    ];
    for (const [children, message] of rows)
      assert.throws(() => plan(...children), { code: 'INVALID_DECLARATION', message });
  });
});

describe('conditions', () => {
  const [a, b] = declare(object(), [map('a'), map('b')], family);
  assert.ok(a !== undefined && b !== undefined);
  const rows: readonly [string, ChildReason[], string[], string[]][] = [
    [
      'none',
      [],
      [],
      ['True ChildrenReady: there are no children', 'False ChildrenReady: there are no children'],
    ],
    [
      'ready',
      ['Ready', 'Ready'],
      [],
      ['True ChildrenReady: all 2 children are ready', 'False ChildrenReady: all 2 children are ready'],
    ],
    [
      'pruning',
      ['Ready'],
      ['Secret x'],
      ['True ChildrenReady: the child is ready', 'True Pruning: Secret x: being deleted'],
    ],
    [
      'waiting',
      ['ChildNotReady', 'WaitingForChild'],
      [],
      [
        'False ChildNotReady: ConfigMap default/a: m; 1 more: ConfigMap default/b',
        'True ChildNotReady: ConfigMap default/a: m; 1 more: ConfigMap default/b',
      ],
    ],
    [
      'stuck goes first',
      ['ChildNotReady', 'NotOwned'],
      [],
      [
        'False NotOwned: ConfigMap default/b: m; 1 more: ConfigMap default/a',
        'True ChildNotReady: ConfigMap default/a: m',
      ],
    ],
    [
      'stuck alone',
      ['Ready', 'FieldConflict'],
      [],
      ['False FieldConflict: ConfigMap default/b: m', 'False FieldConflict: ConfigMap default/b: m'],
    ],
    [
      'refused',
      ['ApplyFailed'],
      [],
      ['False ApplyFailed: ConfigMap default/a: m', 'True ApplyFailed: ConfigMap default/a: m'],
    ],
  ];
  for (const [name, reasons, leaving, expected] of rows)
    test(name, () => {
      const states = reasons.map((reason, index) => ({
        declared: index === 0 ? a : b,
        reason,
        message: 'm',
      }));
      const said = verdictsOf(states, leaving).map(
        ({ status, reason, message }) => `${status} ${reason}: ${message}`,
      );
      assert.deepEqual(said, expected);
    });
});

test('a refusal is about the child, or passes by itself', () => {
  const resource = { group: '', resource: 'configmaps' };
  const held = new StatusError({
    code: 409,
    reason: 'Conflict',
    details: { causes: [{ reason: 'FieldManagerConflict', field: '.data', message: 'conflict with "me"' }] },
  });
  assert.deepEqual(refusalOf(held), { reason: 'FieldConflict', message: '.data: conflict with "me"' });
  assert.equal(refusalOf(newForbidden(resource, 'a', 'no'))?.reason, 'ApplyFailed');
  for (const passing of [
    newConflict(resource, 'a', 'late'),
    newInternalError(new Error('x')),
    new Error('lost'),
  ])
    assert.equal(refusalOf(passing), undefined);
});

test('what a parent remembers', () => {
  const kinds = (text: string): string[] => [
    ...recordedKinds(object({ annotations: { [MARK]: text } }), MARK).keys(),
  ];
  assert.deepEqual(kinds('apps/v1/deployments,v1/services'), ['apps/v1/deployments', 'v1/services']);
  assert.deepEqual(kinds(',x,a/b/c/d,v1/'), [], 'what makes no sense is left out');
  const marked = object({ annotations: { [MARK]: 'v1/services', other: 'x' }, finalizers: ['theirs', MARK] });
  const patch = (names: string[], finalizer: boolean): object | undefined =>
    markingPatch(marked, MARK, { kinds: names, finalizer });
  assert.equal(patch(['v1/services', 'v1/services'], true), undefined);
  assert.deepEqual(patch(['v1/services', 'a/v1/b'], true), {
    metadata: { resourceVersion: '7', annotations: { [MARK]: 'a/v1/b,v1/services' } },
  });
  assert.deepEqual(patch([], false), {
    metadata: { resourceVersion: '7', annotations: { [MARK]: null }, finalizers: ['theirs'] },
  });
});

test('a parent asks for the same children until its spec, labels, annotations or life change', () => {
  const parent = object({ generation: 1, labels: { a: 'b' } });
  const rows: readonly [Partial<Cached<KubeObject>['metadata']>, boolean][] = [
    [{ resourceVersion: '9' }, true],
    [{ generation: 2 }, false],
    [{ labels: {} }, false],
    [{ annotations: { a: 'b' } }, false],
    [{ uid: 'u2' }, false],
    [{ deletionTimestamp: '2026-01-01T00:00:00Z' }, false],
  ];
  for (const [change, same] of rows) {
    const changed = object({ generation: 1, labels: { a: 'b' }, ...change });
    assert.equal(asksTheSame(parent, changed), same, JSON.stringify(change));
  }
});

test('a status is written only where it changes', () => {
  const clock = new FakeClock();
  const verdict = { type: 'Ready', status: 'True', reason: 'R', message: 'm' } as const;
  const first = statusPatch(object({ generation: 3 }), [verdict], { url: 'u' }, clock);
  assert.equal(first?.['url'], 'u');
  const written = object({ generation: 3 }, { status: { ...first, old: 1 } });
  assert.equal(statusPatch(written, [verdict], { url: 'u', none: undefined }, clock), undefined);
  assert.deepEqual(statusPatch(written, [verdict], { url: 'v', old: undefined }, clock), {
    url: 'v',
    old: null,
  });
  const later = statusPatch(object({ generation: 4 }, { status: first }), [verdict], {}, clock);
  assert.deepEqual(Object.keys(later ?? {}), ['conditions']);
});
