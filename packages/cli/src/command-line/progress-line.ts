import type { Terminal } from './terminal.ts';

const CLEAR_LINE = '\r\u001b[2K';

/**
 * What is being done, in one line of the terminal's stderr that is written over. Whatever else goes to that terminal
 * goes through here: the line steps aside for it and comes back below, so that neither cuts through the other.
 */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  #line = '';

  /** @param isWanted false where the output is for scripts */
  constructor(terminal: Terminal, isWanted: boolean) {
    this.#terminal = terminal;
    this.#isShown = isWanted && (terminal.isErrorTty ?? terminal.isTty);
  }

  show(text: string): void {
    if (!this.#isShown) return;
    this.#line = text;
    this.#terminal.err(`${CLEAR_LINE}${text}`);
  }

  /** Whole lines, such as those of a log. */
  err(lines: string): void {
    this.#terminal.err(this.#line === '' ? lines : `${CLEAR_LINE}${lines}${this.#line}`);
  }

  out(text: string): void {
    this.end();
    this.#terminal.out(text);
  }

  /** There is nothing to wait for any more. */
  end(): void {
    if (this.#line === '') return;
    this.#line = '';
    this.#terminal.err(CLEAR_LINE);
  }
}
