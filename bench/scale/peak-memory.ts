import { residentMegabytes } from '../lib/own-server.ts';

const EVERY_MS = 100;

/** The most memory that a process held since this was made, looked at ten times a second. */
export class PeakMemory implements Disposable {
  readonly #look: () => void;
  readonly #timer: NodeJS.Timeout;
  #megabytes = 0;

  constructor(pid: number) {
    this.#look = () => {
      this.#megabytes = Math.max(this.#megabytes, residentMegabytes(pid));
    };
    this.#timer = setInterval(this.#look, EVERY_MS);
  }

  get megabytes(): number {
    this.#look();
    return this.#megabytes;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
