import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bench } from './bench.ts';
import { conclude } from './measure.ts';
import { jsonLine, tableRow } from './report.ts';

const side = (name: string) => ({ name, measure: async () => ({}) });
const bench: Bench = {
  name: 'queue/add',
  unit: 'ns a key',
  better: 'lower',
  ours: side('ours'),
  peer: side('client-go v0'),
  bar: { kind: 'ratio', atLeast: 3 },
};

test('a JSON line has the promised fields', () => {
  assert.equal(
    jsonLine(conclude(bench, 100, 250)),
    '{"bench":"queue/add","ours":100,"peer":250,"peerName":"client-go v0","ratio":2.5,"unit":"ns a key",' +
      '"bar":"ratio >= 3","ok":false}',
  );
  const { peer: _, bar: __, ...alone } = bench;
  assert.equal(
    jsonLine(conclude(alone, 100, undefined)),
    '{"bench":"queue/add","ours":100,"peer":null,"peerName":null,"ratio":null,"unit":"ns a key"}',
  );
});

test('a row says whether the bar was met', () => {
  assert.match(tableRow(conclude(bench, 80.123, 1234.5)), /80\.1 +1,235 +15\.4x .*bar ratio >= 3 ok$/);
  assert.match(tableRow(conclude(bench, 100, 250)), /MISSED$/);
  assert.match(tableRow(conclude(bench, 100, undefined)), / – .*ratio >= 3$/);
  const both: Bench = { ...bench, bar: { kind: 'ours', below: 50, atLeast: 1 } };
  assert.match(tableRow(conclude(both, 100, 250)), /bar ours < 50 and ratio >= 1 MISSED$/);
});
