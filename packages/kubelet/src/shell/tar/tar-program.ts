import { TarError } from '@windlass/streams/tar';
import { fileProblem } from '../file-programs.ts';
import { complain, type Program } from '../program.ts';
import { packFiles } from './pack-files.ts';
import { unpackFiles } from './unpack-files.ts';

/** `tar cf - PATH…` and `tar xmf - -C PATH`, as `kubectl cp` calls it: the archive is always a stream. */
export const tar: Program = async (call) => {
  const asked = parseArguments(call.args);
  if (asked === undefined) return complain(call, 'tar: only c and x with "f -" are simulated', 2);
  const directory = asked.directory === undefined ? call.directory : `${call.directory}/${asked.directory}`;
  const from = asked.directory?.startsWith('/') === true ? asked.directory : directory;
  try {
    if (asked.mode === 'x') await unpackFiles({ ...call, directory: from });
    else await packFiles({ ...call, directory: from }, asked.paths);
    return 0;
  } catch (error) {
    const problem = error instanceof TarError ? error.message : fileProblem(error);
    return complain(call, `tar: ${problem}`, 2);
  }
};

export interface TarArguments {
  readonly mode: 'c' | 'x';
  readonly directory: string | undefined;
  readonly paths: readonly string[];
}

/** Undefined when it is something else. */
export function parseArguments(args: readonly string[]): TarArguments | undefined {
  let flags = '';
  let directory: string | undefined;
  let file = '-';
  const paths: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-C' || arg === '--directory') directory = args[++at];
    else if (arg.startsWith('--')) continue;
    else if (at === 0 || (arg.startsWith('-') && arg !== '-')) {
      const letters = arg.replace(/^-/, '');
      flags += letters;
      if (letters.endsWith('f')) file = args[++at] ?? '';
      if (letters.endsWith('C')) directory = args[++at];
    } else paths.push(arg);
  }
  const mode = flags.includes('x') ? 'x' : flags.includes('c') ? 'c' : undefined;
  if (mode === undefined || file !== '-' || /[zjJ]/.test(flags)) return undefined;
  return { mode, directory, paths };
}
