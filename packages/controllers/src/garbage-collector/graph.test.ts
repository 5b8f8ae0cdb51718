import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, OwnerReference } from '@windlass/apimachinery';
import { blockingDependents, type GraphOutcome, type Identity, OwnershipGraph } from './graph.ts';

const is = (uid: string, more: Partial<Identity> = {}): Identity => ({
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: 'ns',
  name: uid,
  uid,
  ...more,
});
const names = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: uid,
  uid,
  ...more,
});
const owned = (...ownerReferences: OwnerReference[]): ObjectMeta => ({ ownerReferences });
const checked = ({ check }: GraphOutcome): string[] => [...check].toSorted();
const DELETED = '2026-01-01T00:00:00Z';

describe('an owner that nobody has seen', () => {
  it('is looked for, once for all that name it', () => {
    const graph = new OwnershipGraph();
    assert.deepEqual(checked(graph.seen(is('a'), owned(names('owner')))), ['owner']);
    assert.deepEqual(checked(graph.seen(is('b'), owned(names('owner')))), []);
    assert.equal(graph.node('owner')?.isVirtual, true);
  });

  it('is real once it is seen, and nobody who named it rightly is bothered', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('a'), owned(names('owner')));
    assert.deepEqual(checked(graph.seen(is('owner'), {})), []);
    assert.equal(graph.node('owner')?.isVirtual, false);
  });

  it('takes all with it when it is found not to be there', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('a'), owned(names('owner')));
    graph.seen(is('b'), owned(names('owner')));
    const outcome = graph.absent(is('owner'));
    assert.deepEqual(checked(outcome), ['a', 'b']);
    assert.deepEqual(outcome.absent, [is('owner')]);
    assert.equal(graph.node('owner'), undefined);
  });

  it('is asked for by its other name before anybody who used that goes', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('a'), owned(names('owner', { kind: 'Wrong' })));
    graph.seen(is('b'), owned(names('owner')));
    const outcome = graph.absent(is('owner', { kind: 'Wrong' }));
    assert.deepEqual(checked(outcome), ['a', 'owner'], 'the one who was wrong, and the owner again');
    assert.equal(graph.node('owner')?.identity.kind, 'Pod');
    assert.equal(graph.node('owner')?.isVirtual, true);
    graph.gone(is('a'));
    assert.deepEqual(checked(graph.absent(is('owner'))), ['b']);
  });

  it('in another namespace is another question', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('a', { namespace: 'one' }), owned(names('owner')));
    graph.seen(is('b', { namespace: 'two' }), owned(names('owner')));
    const outcome = graph.absent(is('owner', { namespace: 'one' }));
    assert.deepEqual(checked(outcome), ['a', 'owner']);
    assert.equal(graph.node('owner')?.identity.namespace, 'two');
  });
});

describe('an owner that was seen', () => {
  it('survives that it is absent under a name that is not its own', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('owner'), {});
    graph.seen(is('a'), owned(names('owner', { apiVersion: 'v0' })));
    const outcome = graph.absent(is('owner', { apiVersion: 'v0' }));
    assert.deepEqual(checked(outcome), ['a']);
    assert.equal(graph.node('owner')?.isVirtual, false);
  });

  it('elsewhere is no owner, and that is told', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('owner', { namespace: 'other' }), {});
    const outcome = graph.seen(is('a'), owned(names('owner')));
    assert.deepEqual(checked(outcome), ['a']);
    assert.deepEqual(outcome.misplaced, [{ dependent: is('a'), owner: 'owner' }]);
  });

  it('at the cluster scope is one for all', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('owner', { namespace: '' }), {});
    const outcome = graph.seen(is('a'), owned(names('owner')));
    assert.deepEqual([checked(outcome), outcome.misplaced], [[], []]);
  });

  it('that comes to light elsewhere makes those who named it be looked at', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('a'), owned(names('owner')));
    const outcome = graph.seen(is('owner', { namespace: 'other' }), {});
    assert.deepEqual(checked(outcome), ['a']);
    assert.equal(outcome.misplaced.length, 1);
  });

  it('goes, and its dependents are looked at', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('owner'), {});
    graph.seen(is('a'), owned(names('owner')));
    assert.deepEqual(checked(graph.gone(is('owner'))), ['a']);
    assert.equal(graph.size, 1);
  });
});

describe('an owner that waits for its dependents', () => {
  const waiting: ObjectMeta = { deletionTimestamp: DELETED, finalizers: ['foregroundDeletion'] };

  it('begins with all of them and itself, once', () => {
    const graph = new OwnershipGraph();
    graph.seen(is('owner'), {});
    graph.seen(is('a'), owned(names('owner', { blockOwnerDeletion: true })));
    assert.deepEqual(checked(graph.seen(is('owner'), waiting, {})), ['a', 'owner']);
    assert.deepEqual(checked(graph.seen(is('owner'), waiting, waiting)), []);
    const node = graph.node('owner');
    assert.ok(node);
    assert.deepEqual(
      blockingDependents(node).map(({ identity }) => identity.uid),
      ['a'],
    );
  });

  it('is looked at when one goes, lets go of it, or no longer blocks it', () => {
    const blocks = names('owner', { blockOwnerDeletion: true });
    const changes: readonly ((graph: OwnershipGraph) => GraphOutcome)[] = [
      (graph) => graph.gone(is('a')),
      (graph) => graph.seen(is('a'), {}, owned(blocks)),
      (graph) => graph.seen(is('a'), owned(names('owner', { blockOwnerDeletion: false })), owned(blocks)),
    ];
    for (const change of changes) {
      const graph = new OwnershipGraph();
      graph.seen(is('owner'), waiting);
      graph.seen(is('a'), owned(blocks));
      assert.deepEqual(checked(change(graph)), ['owner']);
    }
  });
});

it('an owner whose dependents are to be orphaned is told of as such, and of nothing else', () => {
  const graph = new OwnershipGraph();
  graph.seen(is('a'), owned(names('owner')));
  const outcome = graph.seen(is('owner'), { deletionTimestamp: DELETED, finalizers: ['orphan'] });
  assert.deepEqual([[...outcome.orphan], checked(outcome)], [['owner'], []]);
});
