// A process that asks /readyz ten times a second and does nothing else, so that its own delays can be told apart.
import { readFileSync } from 'node:fs';
import { realClock, sleep } from '@windlass/base';
import { Caller } from '../caller.ts';
import { heldMs, type Order, type Probe, type ProberSeen, type Reply } from './messages.ts';
import { Sentences } from './sentences.ts';
import { TimerDelay } from './timer-delay.ts';

const EVERY_MS = 100;
/** Each tenth question comes over a new connection, as a load balancer's does. */
const NEW_CONNECTION_EVERY = 10;
const TIMEOUT_MS = 20_000;
/** During a stall no more than these wait. */
const MAX_WAITING = 30;
const NO_PROBE: Probe = { ms: 0, ownDelayMs: 0, serverWaitMs: 0, serverRunMs: 0 };

const delay = new TimerDelay(realClock);
void delay.run(new AbortController().signal);

let work: Extract<Order, { type: 'work' }> | undefined;
let kept: Caller | undefined;
const waiting = new Set<object>();
let probes = 0;
let slowest = NO_PROBE;
let slowestHeld = NO_PROBE;
let failures = new Sentences();

async function probe({ place, pid, identities: [identity] }: NonNullable<typeof work>): Promise<void> {
  if (identity === undefined || kept === undefined) return;
  const question = {};
  waiting.add(question);
  const isNew = probes++ % NEW_CONNECTION_EVERY === 0;
  const caller = isNew ? new Caller(place, identity) : kept;
  const before = mainThread(pid);
  const began = realClock.monotonic();
  const { status, ms, text } = await caller.ask({ path: '/readyz', timeoutMs: TIMEOUT_MS });
  const after = mainThread(pid);
  const seen: Probe = {
    ms,
    ownDelayMs: delay.since(began),
    serverWaitMs: after.waitedMs - before.waitedMs,
    serverRunMs: after.ranMs - before.ranMs,
  };
  if (isNew) caller.close();
  waiting.delete(question);
  if (status !== 200) {
    const over = isNew ? 'over a new connection' : 'over a kept connection';
    const how = status === 0 ? 'got no answer' : `answered ${status}: ${text.slice(0, 120)}`;
    failures.add(`/readyz ${over} ${how}`);
  }
  if (seen.ms > slowest.ms) slowest = seen;
  if (heldMs(seen) > heldMs(slowestHeld)) slowestHeld = seen;
}

/** The first two figures of the kernel's schedstat: nanoseconds that it ran, and that it could have run. */
function mainThread(pid: number): { ranMs: number; waitedMs: number } {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}

function reply(message: Reply<ProberSeen>): void {
  process.send?.(message);
}

process.on('message', (order: Order) => {
  switch (order.type) {
    case 'work':
      kept?.close();
      const [identity] = order.identities;
      kept = identity && new Caller(order.place, identity);
      work = order;
      break;
    case 'rest':
      work = undefined;
      void (async () => {
        while (waiting.size > 0) await sleep(realClock, 5);
        reply({ type: 'resting' });
      })();
      break;
    case 'tell':
      reply({
        type: 'seen',
        seen: { probes, slowest, slowestHeld, failures: failures.first, failureCount: failures.count },
      });
      probes = 0;
      slowest = NO_PROBE;
      slowestHeld = NO_PROBE;
      failures = new Sentences();
      break;
    default:
      order satisfies never;
  }
});
process.on('disconnect', () => process.exit());

for (;;) {
  if (work !== undefined && waiting.size < MAX_WAITING) void probe(work);
  await sleep(realClock, EVERY_MS);
}
