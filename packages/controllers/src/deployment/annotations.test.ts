import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cached } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import {
  byRevision,
  DESIRED_REPLICAS,
  desiredReplicasAnnotation,
  newSetAnnotations,
  nextRevision,
  REVISION,
  REVISION_HISTORY,
  ROLLBACK_TO,
  revisionOf,
} from './annotations.ts';
import { rollback, rollbackTarget } from './rollback.ts';

function set(revision: string | undefined, name = 'web-1'): Cached<ReplicaSet> {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(revision !== undefined && { annotations: { [REVISION]: revision } }),
    },
    spec: {
      selector: {},
      template: { spec: { containers: [{ name: 'a', image: `web:${revision}` }] } },
    },
  };
}

function deployment(annotations: Record<string, string> = {}): Cached<Deployment> {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations,
    },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'a', image: 'web:now' }] } } },
  };
}

describe('the revision after those of the old sets', () => {
  const rows: [old: (string | undefined)[], next: bigint][] = [
    [[], 1n],
    [[undefined, '3', '2'], 4n],
    [['3546343826724305832'], 3546343826724305833n],
    [['3546343826724305832', '3546343826724305833'], 3546343826724305834n],
    [['no number', '9223372036854775808'], 1n],
    [['9223372036854775807'], -9223372036854775808n],
    [['-4'], 1n],
  ];
  for (const [old, next] of rows)
    it(`of [${old.join()}] is ${next}`, () => assert.equal(nextRevision(old.map((one) => set(one))), next));

  it('orders those that differ only beyond 53 bits', () => {
    const sets = ['9007199254740993', '9007199254740992', '1'].map((one) => set(one));
    assert.deepEqual(sets.toSorted(byRevision).map(revisionOf), [1n, 9007199254740992n, 9007199254740993n]);
  });
});

describe('the annotations of the set with the current template', () => {
  it('keep every digit, and the one before as history', () => {
    const before = { [REVISION]: '3546343826724305831' };
    assert.deepEqual(newSetAnnotations(deployment(), before, 3546343826724305833n), {
      [REVISION]: '3546343826724305833',
      [REVISION_HISTORY]: '3546343826724305831',
    });
  });

  it('stay when its revision is the higher one, by the last digit', () => {
    const before = { [REVISION]: '3546343826724305833' };
    assert.equal(newSetAnnotations(deployment(), before, 3546343826724305832n), before);
  });

  it('stay altogether when the revision is no number of 64 bits', () => {
    for (const text of ['four', '9223372036854775808']) {
      const before = { [REVISION]: text };
      assert.equal(newSetAnnotations(deployment({ note: 'new' }), before, 5n), before);
    }
  });

  it('hold sizes of 32 bits only', () => {
    const sized = (text: string): Cached<ReplicaSet> => {
      const one = set(undefined);
      return { ...one, metadata: { ...one.metadata, annotations: { [DESIRED_REPLICAS]: text } } };
    };
    assert.equal(desiredReplicasAnnotation(sized('2147483647')), 2147483647);
    assert.equal(desiredReplicasAnnotation(sized('2147483648')), undefined);
  });
});

describe('a rollback that an annotation asks for', () => {
  const rows: [text: string, target: bigint | undefined][] = [
    ['0', 0n],
    ['3546343826724305833', 3546343826724305833n],
    ['-1', -1n],
    ['before', undefined],
  ];
  for (const [text, target] of rows)
    it(`to ${text} is ${target}`, () =>
      assert.equal(rollbackTarget(deployment({ [ROLLBACK_TO]: text })), target));

  it('takes the template of that very revision, and of the one before for 0', () => {
    const sets = [set('3546343826724305832', 'a'), set('3546343826724305833', 'b'), set('7', 'c')];
    const imageAfter = (wanted: bigint): string | undefined =>
      rollback(deployment(), sets, wanted).deployment.spec?.template?.spec?.containers[0]?.image;
    assert.equal(imageAfter(3546343826724305833n), 'web:3546343826724305833');
    assert.equal(imageAfter(0n), 'web:3546343826724305832');
  });
});
