import {
  actInTurns,
  type Clock,
  Heap,
  type HeapItem,
  SeededRandom,
  type Timer,
  turnsOver,
} from '@windlass/base';

/** Wall time at the start of every run. */
export const RUN_START = Date.UTC(2026, 0, 1);
/** Code that takes more turns than this for one moment waits for something else. */
const MAX_TURNS = 2000;

interface Due extends Timer, HeapItem {
  readonly at: number;
  /** Who comes first of those that are due at the same time: the seed's choice. */
  readonly rank: number;
  readonly order: number;
  readonly owner: string;
  readonly fire: () => void;
}

/**
 * The time of a whole run. All that happens does so because something fell due here: a timer of a process, or a message
 * that arrives. Of two owners that are due at the same time the seed says which is first; the timers of one owner keep
 * their order, as the timers of one real process do.
 */
export class VirtualTime {
  readonly #due = new Heap<Due>((a, b) => {
    if (a.at !== b.at) return a.at < b.at;
    return a.rank === b.rank ? a.order < b.order : a.rank < b.rank;
  });
  readonly #seed: number;
  readonly #salts = new Map<string, number>();
  #elapsedMs = 0;
  #order = 0;
  #current = 'server';

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Wall time, for those whose clock is right. */
  get now(): number {
    return RUN_START + this.#elapsedMs;
  }

  /** Whose timer fired last: what runs now, runs because of it. */
  get current(): string {
    return this.#current;
  }

  /** A generator for one purpose: what others draw does not change what this one gives. */
  randomFor(purpose: string): SeededRandom {
    return new SeededRandom(this.#seed * 4096 + saltOf(purpose) / 2 ** 20);
  }

  set(owner: string, fire: () => void, delayMs: number): Timer {
    const at = this.#elapsedMs + (delayMs > 0 ? delayMs : 0);
    const due: Due = {
      at,
      rank: this.#rankOf(owner, at),
      order: this.#order++,
      owner,
      fire,
      heapIndex: -1,
      cancel: () => void this.#due.remove(due),
    };
    this.#due.push(due);
    return due;
  }

  /** Fires what is due next, if that is at or before `untilMs`; otherwise time moves there, and false. */
  step(untilMs: number): boolean {
    const next = this.#due.peek();
    if (next === undefined || next.at > untilMs) {
      this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
      return false;
    }
    this.#due.pop();
    this.#elapsedMs = Math.max(this.#elapsedMs, next.at);
    this.#current = next.owner;
    next.fire();
    return true;
  }

  /** Resolves when all that follows from what fired has run, up to its next wait. */
  settle(): Promise<void> {
    return turnsOver(MAX_TURNS);
  }

  /** Calls `act` again and again for as long as it returns true, each time when everything has settled. */
  settled(act: () => boolean): Promise<void> {
    return actInTurns(act, MAX_TURNS);
  }

  #rankOf(owner: string, at: number): number {
    let salt = this.#salts.get(owner);
    if (salt === undefined) {
      salt = saltOf(`${this.#seed} ${owner}`);
      this.#salts.set(owner, salt);
    }
    return mixed(salt ^ Math.imul(Math.floor(at * 1000), 0x9e3779b1));
  }
}

/** A number of 32 bits that follows from a text (FNV-1a). */
export function saltOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function mixed(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The clock of one process: it may be wrong, stand still while the process is frozen, and end with it. */
export class ProcessClock implements Clock {
  readonly #time: VirtualTime;
  readonly #owner: string;
  #skewMs = 0;
  #isDead = false;
  #frozen: (() => void)[] | undefined = undefined;

  constructor(time: VirtualTime, owner: string) {
    this.#time = time;
    this.#owner = owner;
  }

  now(): number {
    return this.#time.now + this.#skewMs;
  }

  monotonic(): number {
    return this.#time.elapsedMs;
  }

  readonly setTimeout = (callback: () => void, delayMs: number): Timer => {
    if (this.#isDead || delayMs === Number.POSITIVE_INFINITY) return { cancel: () => {} };
    let isCancelled = false;
    const fire = (): void => {
      if (isCancelled || this.#isDead) return;
      // What falls due while the process is stopped is done when it goes on, at the later time.
      if (this.#frozen === undefined) callback();
      else this.#frozen.push(fire);
    };
    const timer = this.#time.set(this.#owner, fire, delayMs);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  };

  /** The wall clock is set; timers do not notice. */
  skew(ms: number): void {
    this.#skewMs += ms;
  }

  freeze(): void {
    this.#frozen ??= [];
  }

  thaw(): void {
    const overdue = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const fire of overdue) this.#time.set(this.#owner, fire, 0);
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  /** The process is gone: nothing fires any more. */
  end(): void {
    this.#isDead = true;
    this.#frozen = undefined;
  }
}
