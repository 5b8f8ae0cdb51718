// The parts of the attack lane that decide: the bar, the plan, what the machine took, what a log says.
import assert from 'node:assert/strict';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, SeededRandom } from '@windlass/base';
import type { Attack } from './attack/attack.ts';
import { brokenPromises, type Window } from './attack/bar.ts';
import { complained } from './attack/complaints.ts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headerBlock,
  preface,
  requestFields,
} from './attack/frames.ts';
import { planOf } from './attack/plan.ts';
import { Tally } from './attack/tally.ts';
import { heldMs, type Probe } from './attack/witnesses/messages.ts';
import { TimerDelay } from './attack/witnesses/timer-delay.ts';

const QUICK: Probe = { ms: 5, ownDelayMs: 0, serverWaitMs: 0, serverRunMs: 0 };
const GOOD: Window = {
  attack: 'none',
  seconds: 1,
  tally: new Tally(),
  prober: { probes: 10, slowest: QUICK, slowestHeld: QUICK, failures: [], failureCount: 0 },
  honest: { requests: 10, slowestMs: 5, slowestWhat: '', retried: 0, failures: [], failureCount: 0 },
  peaceMegabytes: 200,
  restingMegabytes: 200,
  peakMegabytes: 300,
  complaints: [],
  findings: [],
};

function withProbe(probe: Partial<Probe>): Window {
  const slowest = { ...QUICK, ...probe };
  return { ...GOOD, prober: { probes: 10, slowest, slowestHeld: slowest, failures: [], failureCount: 0 } };
}

function tallyOf(code: number, text: string): Tally {
  const tally = new Tally();
  tally.answer(code, () => text);
  return tally;
}

const BARS: readonly (readonly [what: string, window: Window, broken: RegExp | undefined])[] = [
  ['all is well', GOOD, undefined],
  ['a slow /readyz', withProbe({ ms: 251 }), /\/readyz took 251 ms/],
  ['a /readyz at the bar', withProbe({ ms: 250 }), undefined],
  ['a delay of the prober itself', withProbe({ ms: 400, ownDelayMs: 200 }), undefined],
  ['a server that was not let run', withProbe({ ms: 400, serverWaitMs: 200 }), undefined],
  ['less taken than the stall was', withProbe({ ms: 700, ownDelayMs: 200, serverWaitMs: 300 }), /took 300/],
  ['a prober that does nothing', { ...GOOD, prober: { ...GOOD.prober!, probes: 0 } }, /prober does not work/],
  [
    'a /readyz without an answer',
    { ...GOOD, prober: { ...GOOD.prober!, failures: ['/readyz answered 429'], failureCount: 7 } },
    /answered 429[\s\S]*and 6 more/,
  ],
  ['nobody honest', { ...GOOD, honest: { ...GOOD.honest!, requests: 0 } }, /witness does not work/],
  [
    'an honest request that failed',
    { ...GOOD, honest: { ...GOOD.honest!, failures: ['GET by admin answered 429'], failureCount: 1 } },
    /^GET by admin answered 429$/,
  ],
  ['a 429 that succeeded later', { ...GOOD, honest: { ...GOOD.honest!, retried: 3 } }, undefined],
  ['a stall in a mix of attacks', { ...withProbe({ ms: 300 }), attack: 'watches + patches' }, /took 300 ms/],
  ['too much memory', { ...GOOD, peakMegabytes: 1000 }, /took 1000 MB; it may take 900/],
  ['memory that the server held before', { ...GOOD, peaceMegabytes: 300, peakMegabytes: 1000 }, undefined],
  ['memory of an attack before', { ...GOOD, restingMegabytes: 990, peakMegabytes: 1000 }, undefined],
  ['an internal error', { ...GOOD, tally: tallyOf(500, 'GET /x') }, /internal error was answered: GET \/x/],
  [
    'an error that upstream calls internal',
    { ...GOOD, tally: tallyOf(500, 'without impersonating a user') },
    undefined,
  ],
  ['a line in the log', { ...GOOD, complaints: ['{"level":"error","msg":"no"}'] }, /logged once: no/],
  ['what the attack found', { ...GOOD, findings: ['a secret was seen'] }, /a secret was seen/],
  ['a killed server', { ...GOOD, prober: undefined, honest: undefined }, undefined],
];

for (const [what, window, broken] of BARS)
  test(`the bar: ${what}`, () => {
    const sentences = brokenPromises(window).join('\n');
    if (broken === undefined) assert.equal(sentences, '');
    else assert.match(sentences, broken);
  });

test('what the machine took is the larger of both delays, and never more than the stall', () => {
  assert.equal(heldMs({ ms: 500, ownDelayMs: 100, serverWaitMs: 200, serverRunMs: 0 }), 300);
  assert.equal(heldMs({ ms: 500, ownDelayMs: 900, serverWaitMs: 0, serverRunMs: 0 }), 0);
});

test('the delay of timers is summed over the time that is asked about', async () => {
  let time = 0;
  let fire = (): void => {};
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    setTimeout: (callback) => {
      fire = callback;
      return { cancel: () => {} };
    },
  };
  const tick = async (at: number): Promise<void> => {
    time = at;
    fire();
    await turn();
  };
  const delay = new TimerDelay(clock);
  void delay.run(new AbortController().signal);
  await tick(11);
  assert.equal(delay.since(0), 0, 'timers are late by a little on an idle machine too');
  // Due at 21 and at 110.
  await tick(100);
  await tick(150);
  assert.equal(delay.since(0), 79 + 40);
  assert.equal(delay.since(60), 40 + 40, 'of a delay that began earlier only what came after');
  assert.equal(delay.since(120), 30);
  assert.equal(delay.since(150), 0);
});

test('a plan has every attack alone once, then mixes without exclusive ones, the same for the same seed', () => {
  const attack = (name: string, isExclusive = false): Attack => ({
    name,
    summary: '',
    isExclusive,
    start: async () => [],
  });
  const attacks = [attack('a'), attack('b'), attack('c'), attack('d'), attack('kill', true)];
  const names = (seed: number) =>
    planOf(attacks, 5, new SeededRandom(seed)).map((step) => step.attacks.map(({ name }) => name).join('+'));
  const steps = names(7);
  assert.deepEqual(steps.slice(0, 5).sort(), ['a', 'b', 'c', 'd', 'kill']);
  assert.ok(steps.length > 5, 'there are mixes');
  for (const mix of steps.slice(5)) assert.match(mix, /^[abcd]\+[abcd]\+[abcd]$/);
  assert.deepEqual(names(7), steps);
  assert.notDeepEqual(names(8), steps);
  const total = planOf(attacks, 5, new SeededRandom(7)).reduce(
    (sum, { holdSeconds }) => sum + holdSeconds,
    0,
  );
  assert.ok(total <= 301, `the plan takes ${total} s of 300`);
});

test('lines of a log that differ in numbers only are one kind', () => {
  const line = (at: number) =>
    JSON.stringify({
      level: 'error',
      msg: 'failed',
      error: { message: `item ${at}`, stack: `Error\n    at f (file:///x/packages/a/src/b.ts:12:3)` },
    });
  assert.deepEqual(complained([line(1), line(22), 'node:internal/boom']), [
    'the server logged 2 times: failed: item N (packages/a/src/b.ts:12)',
    'the server logged once: node:internal/boom',
  ]);
});

test('frames that are made by hand are HTTP/2', async () => {
  const server = createServer();
  const long = 'v'.repeat(300);
  const seen = new Promise<Record<string, unknown>>((resolve) => {
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      resolve({ ...headers });
      stream.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const block = headerBlock([...requestFields('/readyz', 't'), ['x-long', long]]);
  socket.write(Buffer.concat([preface(), frame(FRAME.headers, END_HEADERS | END_STREAM, 1, block)]));
  const headers = await seen;
  assert.equal(headers[':path'], '/readyz');
  assert.equal(headers['authorization'], 'Bearer t');
  assert.equal(headers['x-long'], long);
  socket.destroy();
  server.close();
});
