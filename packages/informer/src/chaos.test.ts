// The whole informer against a server that does everything wrong, for many seeds, in virtual time.
// More of them: WINDLASS_SEEDS=20000. One of them: WINDLASS_SEED=123.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChaosScenario } from './testing/chaos-scenario.ts';

const COUNT = Number(process.env['WINDLASS_SEEDS'] ?? 1500);
const ONLY = process.env['WINDLASS_SEED'];
const seeds = ONLY === undefined ? Array.from({ length: COUNT }, (_, seed) => seed) : [Number(ONLY)];

const reported = new Map<string, number>();

test(`the cache converges, handlers see a legal history, nothing leaks: ${seeds.length} seeds`, async () => {
  for (const seed of seeds) {
    try {
      await new ChaosScenario(seed, reported).run();
    } catch (error) {
      throw new Error(`seed ${seed}; run it alone with WINDLASS_SEED=${seed}`, { cause: error });
    }
  }
});

test('every way to be interrupted was among them', { skip: seeds.length < 1000 && 'too few seeds' }, () => {
  const reopens = ['closed', 'short', 'silent', 'throttled', 'denied', 'server', 'transport'];
  const relists = ['expired', 'version-too-large', 'version-went-back', 'not-found', 'asked'];
  const expected = [
    ...reopens.map((reason) => `reopen ${reason}`),
    ...relists.map((reason) => `relist ${reason}`),
    ...['expired', 'version-too-large', 'throttled', 'not-found', 'denied', 'server', 'transport'].map(
      (kind) => `list-failed ${kind}`,
    ),
    ...['closed', 'silent', 'failed'].map((reason) => `stream-failed ${reason}`),
    ...['refused', 'no-marker'].map((reason) => `streaming-given-up ${reason}`),
  ];
  assert.deepEqual(
    expected.filter((what) => !reported.has(what)),
    [],
  );
});
