// One step of the plan against the running server: the attacks, and what the witnesses saw meanwhile.
import { realClock, SeededRandom, sleep, toError } from '@windlass/base';
import type { Attack, Stage } from './attack.ts';
import type { Window } from './bar.ts';
import { MAX_READYZ_MS } from './bar.ts';
import { Caller } from './caller.ts';
import type { Identity, People } from './people.ts';
import type { Step } from './plan.ts';
import { Tally } from './tally.ts';
import type { Victim } from './victim.ts';
import type { HonestSeen, ProberSeen } from './witnesses/messages.ts';
import type { Witness } from './witnesses/witness.ts';

const RECOVERY_MS = 60_000;
const GOOD_IN_A_ROW = 3;
const NOT_WELL = `the server did not recover within ${RECOVERY_MS / 1000} s after the attack`;

export class Siege {
  readonly #victim: Victim;
  readonly #people: People;
  readonly #prober: Witness<ProberSeen>;
  readonly #honest: Witness<HonestSeen>;
  readonly #isShort: boolean;
  #peaceMegabytes: number | undefined = undefined;

  constructor(options: {
    readonly victim: Victim;
    readonly people: People;
    readonly prober: Witness<ProberSeen>;
    readonly honest: Witness<HonestSeen>;
    readonly isShort: boolean;
  }) {
    this.#victim = options.victim;
    this.#people = options.people;
    this.#prober = options.prober;
    this.#honest = options.honest;
    this.#isShort = options.isShort;
  }

  async begin(): Promise<void> {
    const place = await this.#victim.place();
    const { pid } = this.#victim;
    this.#prober.work(place, pid, [this.#people.prober]);
    this.#honest.work(place, pid, [this.#people.admin, this.#people.user]);
  }

  async end(): Promise<void> {
    await Promise.all([this.#prober.rest(), this.#honest.rest()]);
  }

  async run(step: Step, seed: number): Promise<Window> {
    const { attacks } = step;
    const isExclusive = attacks.some((attack) => attack.isExclusive === true);
    if (isExclusive) await this.end();
    await Promise.all([this.#prober.tell(), this.#honest.tell()]);
    this.#victim.newComplaints();
    this.#victim.forgetPeak();
    const restingMegabytes = this.#victim.peakMegabytes;
    this.#peaceMegabytes ??= restingMegabytes;
    const began = realClock.monotonic();
    const tally = new Tally();
    const found = await Promise.all(attacks.map((attack) => this.#attack(attack, tally, step, seed)));
    const isWell = await this.#recovers();
    if (isExclusive) await this.begin();
    const [prober, honest] = await Promise.all([this.#prober.tell(), this.#honest.tell()]);
    const window: Window = {
      attack: attacks.map(({ name }) => name).join(' + '),
      seconds: (realClock.monotonic() - began) / 1000,
      tally,
      prober: isExclusive ? undefined : prober,
      honest: isExclusive ? undefined : honest,
      peaceMegabytes: this.#peaceMegabytes,
      restingMegabytes,
      peakMegabytes: this.#victim.peakMegabytes,
      complaints: this.#victim.newComplaints(),
      findings: isWell ? found.flat() : [...found.flat(), NOT_WELL],
    };
    if (!isWell) await this.#restart();
    return window;
  }

  async #attack(attack: Attack, tally: Tally, step: Step, seed: number): Promise<string[]> {
    const callers: Caller[] = [];
    const stop = new AbortController();
    const timer = realClock.setTimeout(() => stop.abort(), step.limitSeconds * 1000);
    const place = await this.#victim.place();
    const stage: Stage = {
      place,
      people: this.#people,
      tally,
      random: new SeededRandom(seed),
      victim: this.#victim,
      holdMs: Math.round(step.holdSeconds * 1000),
      size: (short, long) => (this.#isShort ? short : long),
      caller: (identity: Identity) => {
        const caller = new Caller(place, identity, tally);
        callers.push(caller);
        return caller;
      },
    };
    try {
      return await attack.start(stage, stop.signal);
    } catch (error) {
      return [`the attack ${attack.name} itself failed: ${toError(error).stack}`];
    } finally {
      timer.cancel();
      stop.abort();
      for (const caller of callers) caller.close();
    }
  }

  /** Waits until the server answers as quickly as it should again, so that the next attack finds it whole. */
  async #recovers(): Promise<boolean> {
    const place = await this.#victim.place();
    const deadline = realClock.monotonic() + RECOVERY_MS;
    let good = 0;
    while (good < GOOD_IN_A_ROW) {
      if (realClock.monotonic() > deadline) return false;
      const caller = new Caller(place, this.#people.admin);
      const { status, ms } = await caller.ask({ path: '/readyz', timeoutMs: RECOVERY_MS });
      caller.close();
      good = status === 200 && ms <= MAX_READYZ_MS ? good + 1 : 0;
      await sleep(realClock, 50);
    }
    return true;
  }

  async #restart(): Promise<void> {
    await this.#victim.stop('SIGKILL');
    await this.end();
    await this.#victim.start();
    await this.begin();
  }
}
