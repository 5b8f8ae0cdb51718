import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Identity } from '../people.ts';
import type { Place } from '../place.ts';
import type { HonestSeen, Order, ProberSeen, Reply } from './messages.ts';

/** The runner's end of a witness: a process that sees how the server treats others while it is attacked. */
export class Witness<Seen> {
  readonly #child: ChildProcess;

  constructor(program: URL) {
    this.#child = fork(program.pathname, [], { execArgv: [] });
  }

  work(place: Place, pid: number, identities: readonly Identity[]): void {
    this.#say({ type: 'work', place, pid, identities });
  }

  /** Resolves when nothing is under way. */
  async rest(): Promise<void> {
    const replied = this.#reply();
    this.#say({ type: 'rest' });
    await replied;
  }

  /** What was seen since the last time. */
  async tell(): Promise<Seen> {
    const replied = this.#reply();
    this.#say({ type: 'tell' });
    const message = await replied;
    if (message.type !== 'seen') throw new Error(`a witness said ${message.type} when it was asked to tell`);
    return message.seen;
  }

  stop(): void {
    this.#child.disconnect();
  }

  #say(order: Order): void {
    this.#child.send(order);
  }

  async #reply(): Promise<Reply<Seen>> {
    const [message] = (await once(this.#child, 'message')) as [Reply<Seen>];
    return message;
  }
}

export const startProber = (): Witness<ProberSeen> => new Witness(new URL('prober.ts', import.meta.url));
export const startHonest = (): Witness<HonestSeen> => new Witness(new URL('honest.ts', import.meta.url));
