import type { Terminal } from '../command-line/terminal.ts';

/** Keeps what is said, and tells when something was. */
export class RecordingTerminal implements Terminal {
  readonly isTty: boolean;
  output = '';
  errors = '';
  #waiting: { text: string; resolve: () => void } | undefined;

  constructor({ isTty = false }: { readonly isTty?: boolean } = {}) {
    this.isTty = isTty;
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
