import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';

const run = promisify(execFile);
const MAX_BYTES = 64 * 1024 * 1024;

/** Prints what a module exports as `definitions`. */
const PRINT = `
const { definitions } = await import(process.argv[1]);
if (!Array.isArray(definitions)) throw new Error('it exports no list of definitions');
process.stdout.write(JSON.stringify(definitions));
`;

/**
 * The definitions that an operator's module exports. Read in a process of its own: a module that was imported once stays
 * as it was.
 */
export async function operatorDefinitions(
  module: string,
  signal: AbortSignal,
): Promise<CustomResourceDefinition[]> {
  const args = ['--input-type=module', '--eval', PRINT, pathToFileURL(module).href];
  try {
    const { stdout } = await run(process.execPath, args, { signal, maxBuffer: MAX_BYTES });
    return JSON.parse(stdout) as CustomResourceDefinition[]; // printed above; the server checks the rest
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`${module} could not be imported${said === '' ? '' : `:\n${said}`}`, { cause: error });
  }
}
