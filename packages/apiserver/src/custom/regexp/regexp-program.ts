import { type Assertion, canBeEmpty, type RegexpNode } from './regexp-node.ts';

/** What a matcher does, one after the other. */
export type Step =
  | { readonly op: 'char'; readonly has: (code: number) => boolean }
  | { readonly op: 'assert'; readonly kind: Assertion }
  /** Goes on at both; the first counts more. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'match' };

/** A program longer than this would take too much memory. */
const MAX_STEPS = 50_000;

/** @throws SyntaxError when it would be too large */
export function compileSteps(node: RegexpNode, pattern: string): readonly Step[] {
  return new Compiler(pattern).compile(node);
}

class Compiler {
  readonly #pattern: string;
  readonly #steps: Step[] = [];
  readonly #tests = new Map<string, (code: number) => boolean>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  compile(node: RegexpNode): Step[] {
    this.#emit(node);
    this.#push({ op: 'match' });
    return this.#steps;
  }

  #push<S extends Step>(step: S): S {
    if (this.#steps.length >= MAX_STEPS)
      throw new SyntaxError(`expression too large: \`${this.#pattern.slice(0, 100)}\``);
    this.#steps.push(step);
    return step;
  }

  #emit(node: RegexpNode): void {
    switch (node.type) {
      case 'empty':
        return;
      case 'char':
        this.#push({ op: 'char', has: this.#testOf(node.source) });
        return;
      case 'assert':
        this.#push({ op: 'assert', kind: node.kind });
        return;
      case 'sequence':
        for (const part of node.parts) this.#emit(part);
        return;
      case 'choice':
        this.#emitChoice(node.parts);
        return;
      case 'repeat':
        this.#emitRepeat(node);
        return;
      default:
        return node satisfies never;
    }
  }

  #emitChoice(parts: readonly RegexpNode[]): void {
    const ends: { op: 'jump'; to: number }[] = [];
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) {
        this.#emit(part);
        break;
      }
      const split = this.#push({ op: 'split' as const, first: this.#steps.length + 1, second: 0 });
      this.#emit(part);
      ends.push(this.#push({ op: 'jump' as const, to: 0 }));
      split.second = this.#steps.length;
    }
    for (const end of ends) end.to = this.#steps.length;
  }

  #emitRepeat({ body, min, max, isGreedy }: Extract<RegexpNode, { type: 'repeat' }>): void {
    if (max === Number.POSITIVE_INFINITY) {
      for (let count = 0; count < min - 1; count++) this.#emit(body);
      if (min > 0) this.#emitLoop(body, isGreedy);
      else if (canBeEmpty(body)) this.#emitOptional(isGreedy, () => this.#emitLoop(body, isGreedy));
      else this.#emitStar(body, isGreedy);
      return;
    }
    for (let count = 0; count < min; count++) this.#emit(body);
    const emitRest = (count: number): void => {
      if (count === max) return;
      this.#emitOptional(isGreedy, () => {
        this.#emit(body);
        emitRest(count + 1);
      });
    };
    emitRest(min);
  }

  /**
   * Once or more often, as Go does it: back to the same body. A body that has matched nothing was there already, so it
   * goes on behind the loop before the body's other ways are tried.
   */
  #emitLoop(body: RegexpNode, isGreedy: boolean): void {
    const start = this.#steps.length;
    this.#emit(body);
    const after = this.#steps.length + 1;
    this.#push({ op: 'split', first: isGreedy ? start : after, second: isGreedy ? after : start });
  }

  /** Any number of times, for a body that takes a character each time. */
  #emitStar(body: RegexpNode, isGreedy: boolean): void {
    const start = this.#steps.length;
    this.#emitOptional(isGreedy, () => {
      this.#emit(body);
      this.#push({ op: 'jump', to: start });
    });
  }

  #emitOptional(isGreedy: boolean, emit: () => void): void {
    const inside = this.#steps.length + 1;
    const split = this.#push({ op: 'split' as const, first: inside, second: inside });
    emit();
    if (isGreedy) split.second = this.#steps.length;
    else split.first = this.#steps.length;
  }

  /** Whether a code point is of a class. ASCII is looked up, for the rest the engine knows Unicode. */
  #testOf(source: string): (code: number) => boolean {
    const known = this.#tests.get(source);
    if (known !== undefined) return known;
    const expression = new RegExp(`^${source}$`, 'u');
    const ascii = Uint8Array.from({ length: 128 }, (_, code) =>
      expression.test(String.fromCharCode(code)) ? 1 : 0,
    );
    const test = (code: number): boolean =>
      code < 128 ? ascii[code] === 1 : expression.test(String.fromCodePoint(code));
    this.#tests.set(source, test);
    return test;
  }
}
