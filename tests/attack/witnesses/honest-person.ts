import { realClock, sleep } from '@windlass/base';
import { type Answer, type Ask, Caller } from '../caller.ts';
import { HONEST_NAMESPACE, type Identity } from '../people.ts';
import type { Place } from '../place.ts';
import type { HonestSeen } from './messages.ts';
import { Sentences } from './sentences.ts';

const MAPS = `/api/v1/namespaces/${HONEST_NAMESPACE}/configmaps`;
const PAUSE_MS = 60;
const TIMEOUT_MS = 10_000;
/** A change must be seen by a watch within this time. */
const SEEN_WITHIN_MS = 5000;
/** A second try after a 429 must be answered within this time. */
const RETRY_WITHIN_MS = 1000;

/** Somebody with rights who works all the time, a little. */
export class HonestPerson {
  readonly #identity: Identity;
  readonly #caller: Caller;
  readonly #unseen = new Map<string, number>();
  readonly #stop = new AbortController();
  #lastVersion = '';
  #done: Promise<unknown> = Promise.resolve();
  #requests = 0;
  #retried = 0;
  #slowestMs = 0;
  #slowestWhat = '';
  #failures = new Sentences();

  constructor(place: Place, identity: Identity) {
    this.#identity = identity;
    this.#caller = new Caller(place, identity);
  }

  start(): void {
    this.#done = Promise.all([this.#work(), this.#watch()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    this.#caller.close();
  }

  /** What was seen since the last call. */
  tell(): HonestSeen {
    for (const [name, since] of this.#unseen) {
      if (realClock.monotonic() - since < SEEN_WITHIN_MS) continue;
      this.#unseen.delete(name);
      this.#failures.add(`${this.#identity.name} did not see a new object on a watch within 5 s`);
    }
    const seen = {
      requests: this.#requests,
      retried: this.#retried,
      slowestMs: this.#slowestMs,
      slowestWhat: this.#slowestWhat,
      failures: this.#failures.first,
      failureCount: this.#failures.count,
    };
    this.#requests = 0;
    this.#retried = 0;
    this.#slowestMs = 0;
    this.#slowestWhat = '';
    this.#failures = new Sentences();
    return seen;
  }

  async #work(): Promise<void> {
    const prefix = `${this.#identity.name}-${process.pid}-${Math.floor(realClock.now())}`;
    for (let round = 0; !this.#stop.signal.aborted; round++) {
      const name = `${prefix}-${round}`;
      const body = {
        metadata: { name, labels: { by: this.#identity.name } },
        data: { round: String(round) },
      };
      await this.#must({ path: `${MAPS}?limit=50` }, 200);
      if (!(await this.#must({ method: 'POST', path: MAPS, body }, 201))) continue;
      this.#unseen.set(name, realClock.monotonic());
      await this.#must({ path: `${MAPS}/${name}` }, 200);
      await this.#must({ method: 'DELETE', path: `${MAPS}/${name}` }, 200);
    }
  }

  /** Whether it succeeded, at the first try or after what the server asked to wait. */
  async #must(ask: Ask, expected: number): Promise<boolean> {
    await sleep(realClock, PAUSE_MS);
    const what = `${ask.method ?? 'GET'} by ${this.#identity.name}`;
    this.#requests++;
    let answer = await this.#caller.ask({ ...ask, timeoutMs: TIMEOUT_MS });
    this.#note(answer, what);
    const seconds = Number(answer.headers['retry-after']);
    if (answer.status === 429 && seconds > 0 && this.#identity.name !== 'admin') {
      await sleep(realClock, seconds * 1000);
      answer = await this.#caller.ask({ ...ask, timeoutMs: RETRY_WITHIN_MS });
      if (answer.status === expected) this.#retried++;
    }
    if (answer.status === expected) return true;
    const how = answer.status === 0 ? 'got no answer within 10 s' : `answered ${answer.status}`;
    this.#failures.add(`${what} ${how}${answer.status === 0 ? '' : `: ${answer.text.slice(0, 120)}`}`);
    return false;
  }

  #note({ ms }: Answer, what: string): void {
    if (ms <= this.#slowestMs) return;
    this.#slowestMs = ms;
    this.#slowestWhat = what;
  }

  /** One watch after the other: the server may end them, and must let the next one go on where it was. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const query = `watch=true&timeoutSeconds=30&labelSelector=by%3D${this.#identity.name}`;
      const path = `${MAPS}?${query}&resourceVersion=${this.#lastVersion}`;
      const stream = this.#caller.open({ path, signal });
      if (stream === undefined) {
        await sleep(realClock, PAUSE_MS);
        continue;
      }
      stream.on('response', ({ ':status': status = 0 }) => {
        if (status !== 200 && !signal.aborted)
          this.#failures.add(`watch by ${this.#identity.name} answered ${status}`);
      });
      let rest = '';
      stream.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#saw(line);
      });
      await new Promise((closed) => stream.on('close', closed));
    }
  }

  #saw(line: string): void {
    const { object } = JSON.parse(line) as { object?: { metadata?: Record<string, string> } };
    this.#unseen.delete(object?.metadata?.['name'] ?? '');
    // An error, such as that the version is too old, has none.
    this.#lastVersion = object?.metadata?.['resourceVersion'] ?? '';
    if (this.#lastVersion === '') this.#unseen.clear();
  }
}
