import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podsByNode } from './daemon-pods.ts';
import { placePods } from './placement.ts';
import { daemonSet, NOW, nameList, nodes, pod, type SetOptions } from './testing.ts';

interface Row {
  readonly what: string;
  readonly set?: SetOptions;
  /** Node a, unless more are said. */
  readonly on?: readonly string[];
  readonly pods: readonly string[];
  readonly create?: readonly string[];
  readonly delete?: readonly string[];
  readonly failed?: readonly string[];
  readonly succeeded?: readonly string[];
}

const surge: SetOptions = { maxSurge: 1, maxUnavailable: 0 };
const nowhere: SetOptions = { nodeSelector: { disk: 'ssd' } };

const ROWS: readonly Row[] = [
  { what: 'a node without a pod gets one', on: ['a', 'b'], pods: ['a new ready'], create: ['b'] },
  { what: 'one that waits for its node counts', pods: ['a new unbound'] },
  { what: 'one that goes is waited for', pods: ['a new going'] },
  { what: 'one that has failed goes first', pods: ['a new failed'], failed: ['a new failed'] },
  {
    what: 'one that has failed and goes already is left alone',
    pods: ['a new failed going'],
  },
  { what: 'one that has succeeded goes as well', pods: ['a new succeeded'], succeeded: ['a new succeeded'] },
  {
    what: 'of several the oldest stays',
    pods: ['a new ready', 'a new pending'],
    delete: ['a new pending'],
  },
  {
    what: 'one that is bound stays before an older one that is not',
    pods: ['a old unbound', 'a new pending'],
    delete: ['a old unbound'],
  },
  {
    what: 'where none should be, all go but those that go already',
    set: nowhere,
    pods: ['a new ready', 'a new failed', 'a old going'],
    delete: ['a new failed', 'a new ready'],
  },
  { what: 'where none should be and none is, nothing happens', set: nowhere, pods: [] },
  {
    what: 'what waits for a node that is gone goes; what ran there is not ours to delete',
    pods: ['a new ready', 'gone new unbound', 'lost new ready'],
    delete: ['gone new unbound'],
  },
  { what: 'with surge one that goes is not waited for', set: surge, pods: ['a old going'], create: ['a'] },
  {
    what: 'with surge one that has failed is not waited for',
    set: surge,
    pods: ['a old failed'],
    create: ['a'],
    failed: ['a old failed'],
  },
  { what: 'with surge old and new are together', set: surge, pods: ['a old ready', 'a new pending'] },
  {
    what: 'with surge the old one goes when the new one is available',
    set: surge,
    pods: ['a old ready', 'a new ready'],
    delete: ['a old ready'],
  },
  {
    what: 'with surge the old one stays until the new one has been ready for long enough',
    set: { ...surge, minReadySeconds: 10 },
    pods: ['a old ready', 'a new young'],
  },
  {
    what: 'with surge the old one goes when it does not work itself',
    set: surge,
    pods: ['a old pending', 'a new pending'],
    delete: ['a old pending'],
  },
  {
    what: 'with surge two new ones are one too many',
    set: surge,
    pods: ['a old ready', 'a new pending', 'a new young'],
    delete: ['a new young'],
  },
  {
    what: 'when pods are updated by hand there is no surge',
    set: { ...surge, type: 'OnDelete' },
    pods: ['a old ready', 'a new pending'],
    delete: ['a new pending'],
  },
];

describe('placement', () => {
  for (const row of ROWS)
    it(row.what, () => {
      const placement = placePods({
        set: daemonSet(row.set),
        nodes: nodes(...(row.on ?? ['a'])),
        byNode: podsByNode(row.pods.map(pod)),
        hash: 'h2',
        now: NOW,
      });
      assert.deepEqual(
        {
          create: placement.create,
          delete: nameList(placement.delete),
          failed: nameList(placement.failed.map((one) => one.pod)),
          succeeded: nameList(placement.succeeded.map((one) => one.pod)),
        },
        {
          create: row.create ?? [],
          delete: row.delete ?? [],
          failed: row.failed ?? [],
          succeeded: row.succeeded ?? [],
        },
      );
    });
});
