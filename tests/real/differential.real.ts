// Generated histories of requests go to our server and to a real kube-apiserver: both must answer alike,
// but for what differential/differences.ts names. WINDLASS_SEED and WINDLASS_DIFFERENTIAL_HISTORIES choose
// others (WINDLASS_DIFFERENTIAL_SEED for this test alone), _KIND=Pod,Job only some kinds, _ONLY=7,12 only the
// histories of these numbers, _SHORT only dry-run creates, _VERBOSE prints both answers, _TRACE=FILE writes every
// request with both answers, a line each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf, testSeed } from '@windlass/base/testing';
import { KNOWN_DIFFERENCES, type KnownDifference } from './differential/differences.ts';
import { type History, makeHistory } from './differential/history.ts';
import { fuzzKinds } from './differential/kinds.ts';
import { reportOf } from './differential/report.ts';
import { type Disagreement, runHistories, textOf } from './differential/run.ts';
import { openServers } from './differential/servers.ts';

const DEFAULT_SEED = 1;
const DEFAULT_COUNT = 900;
const SEED = seedOf(process.env, 'WINDLASS_DIFFERENTIAL_SEED') ?? testSeed(DEFAULT_SEED);
const COUNT = Number(process.env['WINDLASS_DIFFERENTIAL_HISTORIES'] ?? DEFAULT_COUNT);
const ONLY = process.env['WINDLASS_DIFFERENTIAL_KIND']?.split(',');
const NUMBERS =
  process.env['WINDLASS_DIFFERENTIAL_ONLY']?.split(',').map(Number) ??
  Array.from({ length: COUNT }, (_, number) => number);
const IS_SHORT = process.env['WINDLASS_DIFFERENTIAL_SHORT'] !== undefined;
const IS_WHOLE = NUMBERS.length === DEFAULT_COUNT && ONLY === undefined && !IS_SHORT;
const SHOWN = 400;

test(`both servers answer alike (seed ${SEED}, ${NUMBERS.length} histories)`, async (context) => {
  await using servers = await openServers();
  const kinds = fuzzKinds().filter(({ kind }) => ONLY === undefined || ONLY.includes(kind));
  const history = (number: number, suffix = ''): History =>
    makeHistory({ kinds, seed: SEED, number, isShort: IS_SHORT, suffix });
  const tally = await runHistories(
    servers,
    NUMBERS.map((number) => history(number)),
  );
  const used = new Set<KnownDifference>();
  const isUnexplained = (found: Disagreement): boolean => {
    const known = KNOWN_DIFFERENCES.find(
      ({ pattern, request = /^/ }) => pattern.test(textOf(found)) && request.test(found.request),
    );
    if (known !== undefined) used.add(known);
    return known === undefined;
  };
  const unexplained = tally.disagreements.filter(isUnexplained);
  // Each fails the test. Whether it comes again, with other names, says where to look.
  const again = unexplained.map(({ history: id }) => history(Number(id.split('-').at(-1)), 'again'));
  const repeated = (await runHistories(servers, again)).disagreements.filter(isUnexplained);
  const { requests, accepted, refused, disagreements } = tally;
  context.diagnostic(
    `${tally.histories} histories, ${requests} requests: ${accepted} accepted, ${refused} refused; ${disagreements.length - unexplained.length} known differences`,
  );
  assert.equal(
    unexplained.length,
    0,
    `${unexplained.length} of ${tally.histories} histories disagree (seed ${SEED}), ${repeated.length} of them once more when repeated:\n\n${reportOf(unexplained, SHOWN)}`,
  );
  if (NUMBERS.length === COUNT)
    assert.ok(accepted > COUNT && refused > COUNT / 2, 'most of what is sent must say something');
  // What other seeds happen to meet says nothing.
  const unused = IS_WHOLE
    ? KNOWN_DIFFERENCES.filter((known) => (known.seed ?? DEFAULT_SEED) === SEED && !used.has(known))
    : [];
  assert.deepEqual(
    unused.map(({ reason }) => reason),
    [],
    'these differences are gone: take them off the list',
  );
});
