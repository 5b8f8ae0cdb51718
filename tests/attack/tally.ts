import { EXPECTED_500 } from '../fuzz/bombard.ts';

/** What an attack sent and what came back. */
export class Tally {
  #sent = 0;
  readonly #answers = new Map<string, number>();
  /** The first internal errors, as what was asked and what was said. */
  readonly internalErrors: string[] = [];

  get sent(): number {
    return this.#sent;
  }

  /** Sorted by code; `none` is a connection that was closed or a request that nobody answered. */
  get answers(): ReadonlyMap<string, number> {
    return new Map([...this.#answers].sort(([a], [b]) => a.localeCompare(b)));
  }

  send(count = 1): void {
    this.#sent += count;
  }

  answer(code: number, what?: () => string): void {
    const name = code === 0 ? 'none' : String(code);
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (code !== 500 || this.internalErrors.length >= MAX_SHOWN) return;
    const text = what?.() ?? 'not known what';
    if (!EXPECTED_500.test(text)) this.internalErrors.push(text.trim());
  }
}

const MAX_SHOWN = 3;
