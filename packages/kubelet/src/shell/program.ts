import type { Clock } from '@windlass/base';
import type { ContainerFiles } from './container-files.ts';

/** What a program of a simulated container has. */
export interface Surroundings {
  readonly files: ContainerFiles;
  readonly environment: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly clock: Clock;
  /** Ends whatever waits. */
  readonly signal: AbortSignal;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: (bytes: Uint8Array) => Promise<void>;
  readonly stderr: (bytes: Uint8Array) => Promise<void>;
}

export interface ProgramCall extends Surroundings {
  /** Without its own name. */
  readonly args: readonly string[];
  /** Absolute. */
  readonly directory: string;
}

/** Resolves with its exit code. */
export type Program = (call: ProgramCall) => Promise<number>;

export function say(call: Pick<Surroundings, 'stdout'>, text: string): Promise<void> {
  return call.stdout(Buffer.from(text));
}

/** Complains as programs do, and fails. */
export async function complain(call: Pick<Surroundings, 'stderr'>, text: string, code = 1): Promise<number> {
  await call.stderr(Buffer.from(`${text}\n`));
  return code;
}

/** The value of a variable; undefined when there is none of this name. */
export function variable(variables: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** A path of the container, from where the program runs. */
export function absolute(directory: string, path: string): string {
  return path.startsWith('/') ? path : `${directory}/${path}`;
}
