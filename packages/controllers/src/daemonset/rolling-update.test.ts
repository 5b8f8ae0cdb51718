import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isAvailable } from '../shared/pods.ts';
import { podsByNode } from './daemon-pods.ts';
import { planUpdate, type UpdateStep } from './rolling-update.ts';
import { daemonSet, NOW, nameList, nodes, pod, type SetOptions } from './testing.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const plan = (set: SetOptions, on: readonly string[], pods: readonly string[]): UpdateStep =>
  planUpdate({
    set: daemonSet(set),
    nodes: nodes(...on),
    byNode: podsByNode(pods.map(pod)),
    hash: 'h2',
    now: NOW,
  });
const allOld = (state: string, names = FIVE): string[] => names.map((name) => `${name} old ${state}`);

interface Row {
  readonly what: string;
  readonly set: SetOptions;
  readonly on?: readonly string[];
  readonly pods: readonly string[];
  readonly create?: readonly string[];
  readonly delete?: readonly string[];
}

const IN_PLACE: readonly Row[] = [
  {
    what: 'so many go as may be missing',
    set: { maxUnavailable: 2 },
    pods: allOld('ready'),
    delete: ['a old ready', 'b old ready'],
  },
  {
    what: 'a share is rounded up',
    set: { maxUnavailable: '25%' },
    pods: allOld('ready'),
    delete: ['a old ready', 'b old ready'],
  },
  { what: 'nothing said is one', set: {}, pods: allOld('ready'), delete: ['a old ready'] },
  {
    what: 'old ones that do not work all go, whatever may be missing',
    set: { maxUnavailable: 1 },
    pods: allOld('pending'),
    delete: allOld('pending'),
  },
  {
    what: 'new ones that do not work yet count',
    set: { maxUnavailable: 2 },
    pods: ['a new pending', ...allOld('ready', ['b', 'c', 'd', 'e'])],
    delete: ['b old ready'],
  },
  {
    what: 'new ones that are not ready for long enough count',
    set: { maxUnavailable: 1, minReadySeconds: 5 },
    pods: ['a new young', ...allOld('ready', ['b', 'c', 'd', 'e'])],
  },
  {
    what: 'nodes without a pod count, and those whose pod goes',
    set: { maxUnavailable: 3 },
    pods: ['a old going', ...allOld('ready', ['c', 'd', 'e'])],
    delete: ['c old ready'],
  },
  {
    what: 'a node with too many is left alone, and counts',
    set: { maxUnavailable: 1 },
    pods: ['a old ready', 'a old pending', ...allOld('ready', ['b', 'c', 'd', 'e'])],
  },
  { what: 'when all are new nothing is to do', set: { maxUnavailable: 5 }, pods: ['a new ready'], on: ['a'] },
];

const surge = (maxSurge: number, more: SetOptions = {}): SetOptions => ({
  maxSurge,
  maxUnavailable: 0,
  ...more,
});

const WITH_SURGE: readonly Row[] = [
  { what: 'so many come as may', set: surge(2), pods: allOld('ready'), create: ['a', 'b'] },
  {
    what: 'a new one comes at once where the old one does not work',
    set: surge(1),
    pods: ['a old pending', 'b old pending', ...allOld('ready', ['c', 'd', 'e'])],
    create: ['a', 'b', 'c'],
  },
  {
    what: 'those that came and do not work yet count',
    set: surge(2),
    pods: ['a old ready', 'a new pending', ...allOld('ready', ['b', 'c', 'd', 'e'])],
    create: ['b'],
  },
  {
    what: 'the old one goes when the new one works, and makes room for the next',
    set: surge(1),
    pods: ['a old ready', 'a new ready', ...allOld('ready', ['b', 'c', 'd', 'e'])],
    create: ['b'],
    delete: ['a old ready'],
  },
  {
    what: 'not before it has worked for long enough',
    set: surge(1, { minReadySeconds: 5 }),
    pods: ['a old ready', 'a new young', ...allOld('ready', ['b', 'c', 'd', 'e'])],
  },
  {
    what: 'one that works on a node that is not wanted stays while others are missing',
    set: surge(1),
    on: ['a', 'b'],
    pods: ['a new ready', 'b new pending', 'x old ready'],
  },
  {
    what: 'and goes when enough work elsewhere',
    set: surge(1),
    on: ['a', 'b'],
    pods: ['a new ready', 'b new ready', 'x old ready', 'y old ready'],
    delete: ['x old ready', 'y old ready'],
  },
  {
    what: 'one that does not work on a node that is not wanted goes',
    set: surge(1),
    on: ['a'],
    pods: ['a new pending', 'x old pending'],
    delete: ['x old pending'],
  },
];

describe('an update', () => {
  for (const [how, rows] of Object.entries({ 'in place': IN_PLACE, 'with surge': WITH_SURGE }))
    for (const row of rows)
      it(`${how}: ${row.what}`, () => {
        const step = plan(row.set, row.on ?? FIVE, row.pods);
        assert.deepEqual(
          { create: step.create, delete: nameList(step.delete) },
          { create: row.create ?? [], delete: row.delete ?? [] },
        );
      });

  it('never takes a working pod that would be missed', () => {
    const states = fc.array(fc.constantFrom('old ready', 'old pending', 'new ready', 'new pending', ''), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(states, fc.nat(5), fc.nat(5), (each, maxSurge, maxUnavailable) => {
        const names = each.map((_, at) => `n${at}`);
        const pods = each.flatMap((state, at) => (state === '' ? [] : [`n${at} ${state}`])).map(pod);
        const step = planUpdate({
          set: daemonSet({ maxSurge, maxUnavailable }),
          nodes: nodes(...names),
          byNode: podsByNode(pods),
          hash: 'h2',
          now: NOW,
        });
        const works = pods.filter((one) => isAvailable(one, 0, NOW));
        const taken = works.filter((one) => step.delete.includes(one));
        const missing = names.length - works.length;
        const allowed = maxSurge > 0 ? 0 : Math.max(maxUnavailable, 1);
        assert.ok(taken.length === 0 || missing + taken.length <= allowed);
        const extra = step.create.filter((name) => pods.some((one) => one.spec?.nodeName === name));
        const beside = extra.filter((name) => works.some((one) => one.spec?.nodeName === name));
        assert.ok(beside.length <= maxSurge);
      }),
    );
  });
});
