// What becomes of an object by its owners, as in Kubernetes 1.36 (pkg/controller/garbagecollector: attemptToDeleteItem).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DeepReadonly, deepCopy, type ObjectMeta, type Served } from '@windlass/apimachinery';
import type { PartialObjectMetadata } from '@windlass/client';
import { type Decision, decide, isWaiting, type Owners } from './classify.ts';
import { FOREGROUND_FINALIZER, type GraphNode, ORPHAN_FINALIZER } from './graph.ts';

/** Of an object of any kind. */
const metadataOf = (metadata: DeepReadonly<ObjectMeta>): Served<PartialObjectMetadata> => ({
  metadata: {
    name: 'p',
    uid: 'p',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...deepCopy<ObjectMeta>(metadata),
  },
});
const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid });

function node(...dependents: GraphNode[]): GraphNode {
  return {
    identity: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'p', uid: 'p' },
    owners: [],
    dependents: new Set(dependents),
    isBeingDeleted: false,
    isDeletingDependents: false,
    isVirtual: false,
  };
}

const owners = (solid: string[], dangling: string[], waiting: string[]): Owners => ({
  solid: solid.map(owner),
  dangling: dangling.map(owner),
  waiting: waiting.map(owner),
});
const goes = (policy: 'Foreground' | 'Background' | 'Orphan', unblock = false): Decision => ({
  type: 'delete',
  policy,
  unblock,
});

describe('an object', () => {
  const rows: [rule: string, owners: Owners, wanted: Decision, node?: GraphNode, finalizers?: string[]][] = [
    ['stays while all its owners do', owners(['a'], [], []), { type: 'keep' }],
    [
      'loses owners that are gone while another stays',
      owners(['a'], ['b'], []),
      { type: 'strip', owners: ['b'] },
    ],
    [
      'loses owners that wait for it while another stays',
      owners(['a'], ['b'], ['c']),
      { type: 'strip', owners: ['b', 'c'] },
    ],
    ['goes when all its owners are gone', owners([], ['a'], []), goes('Background')],
    ['goes when its owner waits, and nobody depends on it', owners([], [], ['a']), goes('Background')],
    [
      'goes after its own dependents when its owner waits',
      owners([], [], ['a']),
      goes('Foreground'),
      node(node()),
    ],
    [
      'goes at once with dependents when no owner waits',
      owners([], ['a'], []),
      goes('Background'),
      node(node()),
    ],
    // A circle: it waits for a dependent that waits for it. It no longer blocks its owner, or neither would ever go.
    [
      'no longer blocks its owner when a dependent of it waits too',
      owners([], [], ['a']),
      goes('Foreground', true),
      node(node(), { ...node(), isDeletingDependents: true }),
    ],
    [
      'goes as somebody has asked before: its dependents are orphaned',
      owners([], ['a'], []),
      goes('Orphan'),
      node(),
      [ORPHAN_FINALIZER, FOREGROUND_FINALIZER],
    ],
    [
      'goes as somebody has asked before: after its dependents',
      owners([], ['a'], []),
      goes('Foreground'),
      node(),
      [FOREGROUND_FINALIZER],
    ],
  ];
  for (const [rule, each, wanted, graphNode = node(), finalizers = []] of rows)
    it(rule, () => {
      assert.deepEqual(decide(graphNode, metadataOf({ finalizers }), each), wanted);
    });
});

describe('an owner waits for its dependents', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  for (const [what, metadata, wanted] of [
    ['when it is deleted in the foreground', { deletionTimestamp, finalizers: [FOREGROUND_FINALIZER] }, true],
    ['not when it is deleted in the background', { deletionTimestamp, finalizers: ['other'] }, false],
    ['not while nobody deletes it', { finalizers: [FOREGROUND_FINALIZER] }, false],
  ] as const)
    it(what, () => {
      assert.equal(isWaiting(metadataOf(metadata)), wanted);
    });
});
