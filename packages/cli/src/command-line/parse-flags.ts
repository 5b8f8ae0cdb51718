import { UsageError } from './exit.ts';

/** What Node's parser says of a wrong flag, with the command that lists the right ones. */
export function parseFlags<T>(help: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}; ${help} lists the flags`,
    );
  }
}
