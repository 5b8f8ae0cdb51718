// The files that a script makes and removes while it runs, for probes that look at them: `touch /tmp/ready; sleep 30;
// rm /tmp/ready; sleep 600`.
import { durationOf } from './simulated-script.ts';

const LOOKS = new Set(['cat', 'ls', 'stat']);

/** The file that a probe's command looks at; undefined when it does something else. */
export function lookedAt(command: readonly string[]): string | undefined {
  const [program = '', ...rest] = command;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name === 'sh' && rest[0] === '-c') return lookedAt((rest[1] ?? '').trim().split(/\s+/));
  if (LOOKS.has(name)) return rest.length === 1 ? rest[0] : undefined;
  if (name === 'test' || name === '[')
    return /^-[efs]$/.test(rest[0] ?? '') && (rest.length === 2 || rest[2] === ']') ? rest[1] : undefined;
  return undefined;
}

/** Whether a script of `sh -c` has the file after so long; undefined: the script does not say. */
export function hasFile(command: readonly string[], file: string, afterMs: number): boolean | undefined {
  const script = command[command.indexOf('-c') + 1];
  if (!command.includes('-c') || script?.includes(file) !== true) return undefined;
  let now = 0;
  let isThere = false;
  for (const part of script.split(/;|&&|\n/)) {
    const [program = '', ...args] = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (program === 'sleep') now += durationOf(args) ?? Number.POSITIVE_INFINITY;
    if (now > afterMs) return isThere;
    const target = part.split('>').at(-1)?.trim();
    if ((part.includes('>') && target === file) || (program === 'touch' && args.includes(file)))
      isThere = true;
    if (program === 'rm' && args.includes(file)) isThere = false;
  }
  return isThere;
}
