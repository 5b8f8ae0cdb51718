import type { Step } from './regexp-program.ts';

/** All the steps that are under way at one place of a text. */
interface State {
  readonly steps: readonly number[];
  readonly isMatch: boolean;
  /** Whether it matches if the text ends here. */
  readonly isMatchAtEnd: boolean;
  /** By code, for ASCII. */
  readonly next: (State | undefined)[];
}

/** More would take too much memory; then they are forgotten, and made again as they are needed. */
const MAX_STATES = 500;
/** Where that happens again and again, following single steps is faster. */
const MAX_ROUNDS = 10;
const ASCII = 128;

/**
 * Whether an expression is found in a text, with what is under way after a character remembered: what was
 * seen before costs one look-up. States are made as they are needed, so there are never more than characters.
 */
export class StateMatcher {
  readonly #steps: readonly Step[];
  readonly #states = new Map<string, State>();
  readonly #first: State;

  private constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#first = this.#stateOf([0], true);
  }

  /** Undefined when what matches depends on more than what came before: on words and lines. */
  static for(steps: readonly Step[]): StateMatcher | undefined {
    const isSimple = steps.every(
      (step) => step.op !== 'assert' || step.kind === 'text-start' || step.kind === 'text-end',
    );
    return isSimple ? new StateMatcher(steps) : undefined;
  }

  /** Undefined when it has too many states for that. */
  test(text: string): boolean | undefined {
    let state = this.#first;
    let rounds = 0;
    for (let at = 0; at < text.length; ) {
      if (state.isMatch) return true;
      const code = text.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      const known = code < ASCII ? state.next[code] : undefined;
      if (known !== undefined) {
        state = known;
        continue;
      }
      if (this.#states.size > MAX_STATES) {
        if (++rounds > MAX_ROUNDS) return undefined;
        this.#states.clear();
        // Or they would still be reached, one from the other.
        this.#first.next.length = 0;
        state.next.length = 0;
      }
      const after = this.#after(state, code);
      if (code < ASCII) state.next[code] = after;
      state = after;
    }
    return state.isMatch || state.isMatchAtEnd;
  }

  #after(state: State, code: number): State {
    const reached: number[] = [];
    for (const index of state.steps) {
      const step = this.#steps[index];
      if (step?.op === 'char' && step.has(code)) reached.push(index + 1);
    }
    // A match may begin anywhere.
    reached.push(0);
    return this.#stateOf(reached, false);
  }

  #stateOf(from: readonly number[], isStart: boolean): State {
    const steps = this.#reach(from, isStart, false);
    const key = `${isStart ? '^' : ''}${steps.join(',')}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const has = (indexes: readonly number[]): boolean =>
      indexes.some((index) => this.#steps[index]?.op === 'match');
    const state: State = {
      steps,
      isMatch: has(steps),
      isMatchAtEnd: has(this.#reach(steps, isStart, true)),
      next: [],
    };
    this.#states.set(key, state);
    return state;
  }

  /** The steps that wait for a character, for the end, or have matched. */
  #reach(from: readonly number[], isStart: boolean, isEnd: boolean): number[] {
    const seen = new Set<number>();
    const waiting = new Set<number>();
    const stack = [...from];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.#steps[index];
      if (step?.op === 'jump') stack.push(step.to);
      else if (step?.op === 'split') stack.push(step.first, step.second);
      else if (step?.op === 'assert' && step.kind === 'text-start') {
        if (isStart) stack.push(index + 1);
      } else if (step?.op === 'assert' && isEnd) stack.push(index + 1);
      else waiting.add(index);
    }
    return [...waiting].toSorted((a, b) => a - b);
  }
}
