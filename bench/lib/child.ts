import { spawn } from 'node:child_process';
import type { Figures } from './bench.ts';

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program whose last line of output is a JSON object of figures. What it says on stderr is shown. */
export async function figuresOf(
  command: string,
  args: readonly string[],
  options?: ChildOptions,
): Promise<Figures> {
  const output = await outputOf(command, args, options);
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line) as Figures; // measure() refuses what is no number
  } catch (cause) {
    throw new Error(`${command} ${args.join(' ')} printed ${JSON.stringify(line)} instead of figures`, {
      cause,
    });
  }
}

/** A program of ours in a process of its own: a clean heap, and no code warmed up for something else. */
export function figuresOfScript(
  script: URL,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Figures> {
  return figuresOf(process.execPath, ['--expose-gc', ...flags, script.pathname, ...args]);
}

export function outputOf(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}`));
    });
  });
}
