import type { Writable } from 'node:stream';
import type { StageWatch } from '../run/stage.ts';
import type { RealTime } from './real-time.ts';

/**
 * The answer to a watch on its way to the program. Its bytes can be held: then they arrive later, all at once, in order.
 * Where one event ends and the next begins is not looked at, so any encoding will do.
 */
export class HeldBytes implements StageWatch {
  readonly request: { readonly path: string };
  readonly #to: Writable;
  readonly #time: RealTime;
  readonly #break: () => void;
  readonly #waiting: Buffer[] = [];
  #holds = 0;
  #isEnding = false;
  /** Bytes that travel slowly must not be overtaken by those after them. */
  #lastAtMs = 0;
  #underWay = 0;

  constructor(path: string, to: Writable, time: RealTime, onBreak: () => void) {
    this.request = { path };
    this.#to = to;
    this.#time = time;
    this.#break = onBreak;
  }

  hold(): void {
    this.#holds++;
  }

  release(): void {
    this.#holds = Math.max(0, this.#holds - 1);
    this.#flush();
  }

  break(): void {
    this.#waiting.length = 0;
    this.#break();
  }

  /** @param addMs how much later it arrives */
  arrive(bytes: Buffer, addMs: number): void {
    this.#later(addMs, () => {
      this.#waiting.push(bytes);
      this.#flush();
    });
  }

  /** The server has ended it. */
  end(addMs: number): void {
    this.#later(addMs, () => {
      this.#isEnding = true;
      this.#flush();
    });
  }

  #later(addMs: number, act: () => void): void {
    const { elapsedMs } = this.#time;
    const at = Math.max(elapsedMs + addMs, this.#lastAtMs);
    this.#lastAtMs = at;
    if (at <= elapsedMs && this.#underWay === 0) return act();
    this.#underWay++;
    this.#time.set(
      'watch',
      () => {
        this.#underWay--;
        act();
      },
      at - elapsedMs,
    );
  }

  #flush(): void {
    if (this.#holds > 0) return;
    for (const bytes of this.#waiting.splice(0)) this.#to.write(bytes);
    if (this.#isEnding) this.#to.end();
  }
}
