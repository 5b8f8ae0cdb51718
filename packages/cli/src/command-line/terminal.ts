/** Where a command speaks. Behind an interface so that tests can listen. */
export interface Terminal {
  readonly isTty: boolean;
  out(text: string): void;
  err(text: string): void;
}

export const processTerminal: Terminal = {
  isTty: process.stdout.isTTY,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};
