// Whatever a stranger sends, the server answers with a Status or hangs up, and goes on. A few thousand
// requests; tests/real/apiserver-fuzz.real.ts sends tens of thousands.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testSeed } from '@windlass/base/testing';
import { inProcess, overHttp2, overRawSockets } from './fuzz/bombard.ts';
import { Malformer } from './fuzz/malformed.ts';
import { type FuzzTarget, startFuzzTarget } from './fuzz/target.ts';

const CASES = testSeed(6_753);
const ALONE = `WINDLASS_SEED=${CASES}`;
/** Each test takes one of its own. */
const SEED = CASES * 3;
const HTTP2_REQUESTS = 2000;
const IN_PROCESS_REQUESTS = 2000;
const RAW_CONNECTIONS = 100;

let target: FuzzTarget;
before(async () => {
  target = await startFuzzTarget();
});
after(() => target[Symbol.asyncDispose]());

test(`malformed requests over HTTP/2 (${ALONE})`, { timeout: 60_000 }, async () => {
  const { port, identity, findings } = target;
  await overHttp2(port, identity, new Malformer(SEED), HTTP2_REQUESTS, findings);
  assert.ok(findings.known > HTTP2_REQUESTS / 2, 'most requests must come past authentication');
  assert.deepEqual(findings.problems, []);
});

test(`malformed requests within the process (${ALONE})`, { timeout: 60_000 }, async () => {
  const { cluster, findings } = target;
  await inProcess(cluster.transport(), new Malformer(SEED + 1), IN_PROCESS_REQUESTS, findings);
  assert.deepEqual(findings.problems, []);
});

test(`bytes that may be no HTTP at all (${ALONE})`, { timeout: 60_000 }, async () => {
  const { cluster, port, findings } = target;
  await overRawSockets(port, new Malformer(SEED + 2), RAW_CONNECTIONS);
  const alive = await cluster.transport().request({ method: 'GET', path: '/readyz' });
  assert.equal(alive.status, 200);
  assert.deepEqual(findings.problems, []);
});
