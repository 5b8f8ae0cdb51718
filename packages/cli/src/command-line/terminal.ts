import { createInterface } from 'node:readline/promises';

/** Where a command speaks. Behind an interface so that tests can listen. */
export interface Terminal {
  /** Of stdout. */
  readonly isTty: boolean;
  /** Of stderr. @default as isTty */
  readonly isErrorTty?: boolean;
  out(text: string): void;
  err(text: string): void;
  /** What somebody types in answer to a question. Undefined where nobody can. */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
}

export const processTerminal: Terminal = {
  isTty: process.stdout.isTTY,
  isErrorTty: process.stderr.isTTY,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ask: process.stdin.isTTY ? askOnStderr : undefined,
};

/** On stderr, because stdout may lead to a script. */
async function askOnStderr(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}
