import type { Terminal } from '../command-line/terminal.ts';

export interface RecordingTerminalOptions {
  /** @default false */
  readonly isTty?: boolean;
  /** What is answered to questions, one after the other. @default nobody is there to answer */
  readonly answers?: readonly string[];
}

/** Keeps what is said, and tells when something was. */
export class RecordingTerminal implements Terminal {
  readonly isTty: boolean;
  readonly ask: Terminal['ask'];
  readonly questions: string[] = [];
  output = '';
  errors = '';
  #waiting: { text: string; resolve: () => void } | undefined;

  constructor({ isTty = false, answers }: RecordingTerminalOptions = {}) {
    this.isTty = isTty;
    const left = [...(answers ?? [])];
    this.ask = answers && ((question) => Promise.resolve(this.#answer(question, left)));
  }

  #answer(question: string, left: string[]): string {
    this.questions.push(question);
    return left.shift() ?? '';
  }

  out(text: string): void {
    this.output += text;
    if (this.#waiting !== undefined && this.output.includes(this.#waiting.text)) this.#waiting.resolve();
  }

  err(text: string): void {
    this.errors += text;
  }

  printed(text: string): Promise<void> {
    if (this.output.includes(text)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = { text, resolve };
    });
  }
}
