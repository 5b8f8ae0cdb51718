import { RingBuffer } from '@windlass/base';

/** So many go on at once; the others wait in turn. */
export class Slots {
  readonly #waiting = new RingBuffer<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
