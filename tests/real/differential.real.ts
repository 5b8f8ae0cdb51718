// Generated histories of requests go to our server and to a real kube-apiserver: both must answer alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHistory } from './differential/history.ts';
import { fuzzKinds } from './differential/kinds.ts';
import { reportOf } from './differential/report.ts';
import { runHistories } from './differential/run.ts';
import { openServers } from './differential/servers.ts';

const SEED = Number(process.env['WINDLASS_DIFFERENTIAL_SEED'] ?? 1);
const COUNT = Number(process.env['WINDLASS_DIFFERENTIAL_HISTORIES'] ?? 600);
const ONLY = process.env['WINDLASS_DIFFERENTIAL_KIND'];
const IS_SHORT = process.env['WINDLASS_DIFFERENTIAL_SHORT'] !== undefined;

test(`both servers answer alike (seed ${SEED}, ${COUNT} histories)`, async (context) => {
  await using servers = await openServers();
  const kinds = fuzzKinds().filter(({ kind }) => ONLY === undefined || ONLY.split(',').includes(kind));
  const histories = Array.from({ length: COUNT }, (_, number) =>
    makeHistory({ kinds, seed: SEED, number, isShort: IS_SHORT }),
  );
  const tally = await runHistories(servers, histories);
  context.diagnostic(
    `${tally.histories} histories, ${tally.requests} requests: ${tally.accepted} accepted, ${tally.refused} refused`,
  );
  assert.equal(
    tally.disagreements.length,
    0,
    `${tally.disagreements.length} of ${tally.histories} histories disagree (seed ${SEED}):\n\n${reportOf(tally.disagreements, 400)}`,
  );
});
