// `npm run attack`: a storm of bad requests, slow clients, big bodies and kills against `windlass up` on loopback,
// while honest people work and a prober asks /readyz. `-- --minutes 10 --seed 7 --only NAME,NAME` say how long, in
// which order, and which attacks. Ends with 1 and a sentence for each broken promise.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { realClock, SeededRandom, sleep } from '@windlass/base';
import { endOnSignals } from '../../tools/run/program.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/all.ts';
import { brokenPromises, MAX_READYZ_MS, MAX_READYZ_SHORT_MS, type Window } from './bar.ts';
import { fillBig } from './fill-big.ts';
import { gatherPeople } from './people.ts';
import { planOf } from './plan.ts';
import { Siege } from './siege.ts';
import { table } from './table.ts';
import { Victim } from './victim.ts';
import { startHonest, startProber } from './witnesses/witness.ts';

/** Below this many minutes the attacks are smaller. */
const LONG_FROM_MINUTES = 3;
/** At first everybody works in peace: what is broken then is no attack's doing. */
const PEACE_MS = 2000;
const LACKS = 77;
const SLOW_MS = 500;

/** Who waited longest, where it was long. */
function slowestOf({ honest }: Window): string {
  if (honest === undefined || honest.slowestMs < SLOW_MS) return '';
  return `; ${honest.slowestWhat} took ${honest.slowestMs.toFixed(0)} ms`;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const minutes = Number(values.minutes ?? '5');
const seed = Number(values.seed ?? '1');
const only = values.only?.split(',');
const chosen = ATTACKS.filter(({ name }) => only?.some((part) => name.startsWith(part)) ?? true);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('attack: --minutes must be a number above 0, and --seed a whole one');
  process.exit(2);
}
if (chosen.length === 0) {
  console.error(`attack: --only ${values.only} names no attack. There are:`);
  for (const { name, summary } of ATTACKS) console.error(`  ${name.padEnd(20)} ${summary}`);
  process.exit(2);
}
if (process.platform !== 'linux') {
  console.error('attack: this lane needs Linux, whose /proc says how much memory the server takes');
  process.exit(LACKS);
}

endOnSignals();
const started = realClock.monotonic();
const log = (line: string): void =>
  console.log(`attack ${((realClock.monotonic() - started) / 1000).toFixed(0).padStart(4)} s: ${line}`);
const folder = await mkdtemp(join(tmpdir(), 'windlass-attack-'));
const victim = new Victim(folder, ['--nodes', '3', '--drives', '1', '--drive-backend', 'directory']);
const prober = startProber();
const honest = startHonest();
const rows: { window: Window; broken: number }[] = [];

async function main(): Promise<void> {
  log(`seed ${seed}, ${minutes} minutes, ${chosen.length} attacks; its state is in ${folder}`);
  const place = await victim.start();
  const people = await gatherPeople(place, folder);
  const isShort = minutes < LONG_FROM_MINUTES;
  await fillBig(place, people, isShort);
  const siege = new Siege({ victim, people, prober, honest, isShort });
  await siege.begin();
  const peace: Attack = {
    name: 'peace',
    summary: 'nobody attacks',
    start: () => sleep(realClock, PEACE_MS).then(() => []),
  };
  const steps = planOf(chosen, minutes, new SeededRandom(seed));
  for (const [index, step] of [
    { attacks: [peace], holdSeconds: 0, limitSeconds: PEACE_MS / 1000 },
    ...steps,
  ].entries()) {
    const window = await siege.run(step, seed * 1000 + index);
    const broken = brokenPromises(window, isShort ? MAX_READYZ_SHORT_MS : MAX_READYZ_MS);
    rows.push({ window, broken: broken.length });
    const outcome = broken.length === 0 ? 'held' : `${broken.length} promises broken`;
    log(`${window.attack}: ${outcome}${slowestOf(window)}`);
    for (const sentence of broken) console.error(`attack: ${window.attack}: ${sentence}`);
  }
  await siege.end();
}

try {
  await main();
} finally {
  prober.stop();
  honest.stop();
  await victim.stop('SIGKILL');
}
console.log(`\n${table(rows)}\n`);
const broken = rows.reduce((sum, row) => sum + row.broken, 0);
if (broken > 0) console.error(`attack: FAILED with seed ${seed}; its state is kept in ${folder}`);
else await rm(folder, { recursive: true, force: true });
log(broken === 0 ? 'passed' : `${broken} promises broken`);
process.exitCode = broken === 0 ? 0 : 1;
