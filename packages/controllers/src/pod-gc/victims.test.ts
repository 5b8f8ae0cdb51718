import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { victimsOf } from './victims.ts';

const pod = (
  name: string,
  more: { node?: string; phase?: string; deleted?: boolean; reason?: string; at?: number } = {},
): Served<Pod> =>
  served(Pod, {
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:00:0${more.at ?? 0}Z`,
      ...(more.deleted === true && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { containers: [], ...(more.node !== undefined && { nodeName: more.node }) },
    status: { phase: more.phase ?? 'Running', ...(more.reason !== undefined && { reason: more.reason }) },
  });
const node = (name: string, taint?: string, ready = 'Unknown'): [string, Served<Node>] => [
  name,
  served(Node, {
    metadata: { name },
    spec: taint === undefined ? {} : { taints: [{ key: taint, effect: 'NoExecute' }] },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }),
];
const judged = (pods: readonly Served<Pod>[], threshold = 100): string[] =>
  victimsOf({
    pods,
    nodes: new Map([
      node('up'),
      node('off', 'node.kubernetes.io/out-of-service'),
      node('back', 'node.kubernetes.io/out-of-service', 'True'),
    ]),
    gone: new Set(['gone']),
    threshold,
  })
    .map(({ pod: victim, why }) => `${victim.metadata?.name}: ${why}`)
    .toSorted();

it('pods of nodes that are gone, of none, and of those that are off, go', () => {
  assert.deepEqual(
    judged([
      pod('fine', { node: 'up' }),
      pod('going', { node: 'up', deleted: true }),
      pod('lost', { node: 'gone' }),
      pod('unseen', { node: 'new' }),
      pod('never', { deleted: true }),
      pod('waiting'),
      pod('stuck', { node: 'off', deleted: true }),
      pod('stays', { node: 'off' }),
      pod('ends', { node: 'back', deleted: true }),
    ]),
    ['lost: orphaned', 'never: unscheduled', 'stuck: out-of-service'],
  );
});

it('of those that have ended the oldest go, and before them those that were evicted', () => {
  const ended = [
    pod('a', { node: 'up', phase: 'Succeeded', at: 1 }),
    pod('b', { node: 'up', phase: 'Failed', at: 2 }),
    pod('c', { node: 'up', phase: 'Failed', at: 3, reason: 'Evicted' }),
    pod('d', { node: 'up', at: 0 }),
  ];
  assert.deepEqual(judged(ended, 3), []);
  assert.deepEqual(judged(ended, 2), ['c: terminated']);
  assert.deepEqual(judged(ended, 1), ['a: terminated', 'c: terminated']);
  assert.deepEqual(judged(ended, 0), [], 'no limit');
});
