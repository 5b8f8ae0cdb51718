import type { GoRegexp, RegexpMatch } from './regexp-matcher.ts';
import type { Assertion, RegexpNode } from './regexp-node.ts';
import { compileSteps, type Step } from './regexp-program.ts';
import { StateMatcher } from './state-matcher.ts';

/**
 * Follows all ways through an expression at once, one character after the other (Thompson, Pike). The time
 * is that of the text times that of the expression, whatever either looks like.
 */
export class LinearMatcher implements GoRegexp {
  readonly #steps: readonly Step[];
  readonly #states: StateMatcher | undefined;

  constructor(node: RegexpNode, pattern: string) {
    this.#steps = compileSteps(node, pattern);
    this.#states = StateMatcher.for(this.#steps);
  }

  test(text: string): boolean {
    return this.#states?.test(text) ?? this.#run(text, 0, true) !== undefined;
  }

  find(text: string, from = 0): RegexpMatch | undefined {
    return this.#run(text, from, false);
  }

  #run(text: string, from: number, isAnyGood: boolean): RegexpMatch | undefined {
    const steps = this.#steps;
    let now = new Threads(steps.length);
    let next = new Threads(steps.length);
    let found: RegexpMatch | undefined;
    for (let at = from; ; ) {
      // A later start counts less than one that is under way, and nothing counts less than a match.
      if (found === undefined) this.#add(now, 0, at, text, at);
      if (now.size === 0 && found !== undefined) return found;
      const code = text.codePointAt(at);
      const after = at + (code !== undefined && code > 0xffff ? 2 : 1);
      for (let index = 0; index < now.size; index++) {
        const step = steps[now.stepAt(index)];
        const start = now.startAt(index);
        if (step?.op === 'match') {
          found = { start, end: at };
          if (isAnyGood) return found;
          break;
        }
        if (step?.op === 'char' && code !== undefined && step.has(code))
          this.#add(next, now.stepAt(index) + 1, start, text, after);
      }
      if (code === undefined) return found;
      now.clear();
      [now, next] = [next, now];
      at = after;
    }
  }

  /** With a stack of its own: a long expression would overflow the machine's. */
  #add(threads: Threads, first: number, start: number, text: string, at: number): void {
    const stack = [first];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (!threads.visit(index)) continue;
      const step = this.#steps[index];
      switch (step?.op) {
        case 'jump':
          stack.push(step.to);
          break;
        case 'split':
          stack.push(step.second, step.first);
          break;
        case 'assert':
          if (holds(step.kind, text, at)) stack.push(index + 1);
          break;
        default:
          threads.push(index, start);
      }
    }
  }
}

/** Steps that are under way, each once, in the order in which they count. */
class Threads {
  readonly #steps: Uint32Array;
  readonly #starts: Float64Array;
  readonly #seenAt: Uint32Array;
  #round = 1;
  size = 0;

  constructor(capacity: number) {
    this.#steps = new Uint32Array(capacity);
    this.#starts = new Float64Array(capacity);
    this.#seenAt = new Uint32Array(capacity);
  }

  visit(step: number): boolean {
    if (this.#seenAt[step] === this.#round) return false;
    this.#seenAt[step] = this.#round;
    return true;
  }

  push(step: number, start: number): void {
    this.#steps[this.size] = step;
    this.#starts[this.size++] = start;
  }

  stepAt(index: number): number {
    return this.#steps[index] ?? 0;
  }

  startAt(index: number): number {
    return this.#starts[index] ?? 0;
  }

  clear(): void {
    this.size = 0;
    this.#round++;
  }
}

function holds(kind: Assertion, text: string, at: number): boolean {
  switch (kind) {
    case 'text-start':
      return at === 0;
    case 'text-end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text[at - 1] === '\n';
    case 'line-end':
      return at === text.length || text[at] === '\n';
    case 'word-boundary':
      return isWord(text, at - 1) !== isWord(text, at);
    case 'no-word-boundary':
      return isWord(text, at - 1) === isWord(text, at);
    default:
      return kind satisfies never;
  }
}

function isWord(text: string, at: number): boolean {
  return /^\w$/.test(text[at] ?? '');
}
