// Tens of thousands of malformed requests: no crash, nothing unhandled, memory flat. WINDLASS_SEED
// chooses others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '@windlass/base/testing';
import { inProcess, overHttp2, overRawSockets } from '../fuzz/bombard.ts';
import { Malformer } from '../fuzz/malformed.ts';
import { startFuzzTarget, usedMegabytes } from '../fuzz/target.ts';

const SEED = testSeed(1);
const ROUNDS = 5;
const HTTP2_REQUESTS = 3000;
const IN_PROCESS_REQUESTS = 5000;
const RAW_CONNECTIONS = 150;
/** Objects that got in, and what Node and the cache of types keep, take a little. */
const MAX_GROWTH_MEGABYTES = 16;

test(`tens of thousands of malformed requests (seed ${SEED})`, { timeout: 300_000 }, async (context) => {
  await using target = await startFuzzTarget();
  const { cluster, port, identity, findings } = target;
  const transport = cluster.transport();
  const megabytes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const malformer = new Malformer(SEED * ROUNDS + round);
    await overHttp2(port, identity, malformer, HTTP2_REQUESTS, findings);
    await inProcess(transport, malformer, IN_PROCESS_REQUESTS, findings);
    await overRawSockets(port, malformer, RAW_CONNECTIONS);
    megabytes.push(Math.round(usedMegabytes()));
    assert.deepEqual(findings.problems, [], `after round ${round + 1} from seed ${SEED}`);
  }
  const sent = ROUNDS * (HTTP2_REQUESTS + IN_PROCESS_REQUESTS + RAW_CONNECTIONS);
  context.diagnostic(`${sent} requests, ${findings.known} past authentication; MB: ${megabytes.join(', ')}`);
  const { status } = await transport.request({ method: 'GET', path: '/readyz' });
  assert.equal(status, 200);
  // The first rounds warm up.
  const growth = (megabytes.at(-1) ?? 0) - (megabytes[1] ?? 0);
  assert.ok(growth < MAX_GROWTH_MEGABYTES, `memory grew by ${growth} MB: ${megabytes.join(', ')}`);
});
