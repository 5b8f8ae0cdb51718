import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TtlSteps } from './ttl-steps.ts';

it('the more nodes, the longer; and a step back needs more than one node', () => {
  const steps = new TtlSteps();
  const rows: [nodes: number, seconds: number][] = [
    [1, 0],
    [100, 0],
    [101, 15],
    [100, 15],
    [90, 15],
    [89, 0],
    [600, 30],
    [451, 30],
    [449, 15],
    [5000, 300],
    [1799, 60],
    [3, 0],
  ];
  for (const [nodes, seconds] of rows) assert.equal(steps.secondsFor(nodes), seconds, `${nodes} nodes`);
});
