// What a command would do, for the few commands that people write in examples and tests: sleep, exit, true,
// false, echo, and lists of them in a shell. Anything else runs for ever, as a server does.

/** When a command ends and with which code. */
export interface ScriptEnd {
  /** Infinite for what is known to run until it is stopped. */
  readonly afterMs: number;
  readonly exitCode: number;
}

interface Effect {
  readonly ms: number;
  readonly code: number;
  readonly isExit?: boolean;
}

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
/** Programs that end at once and well. */
const QUICK = new Set([
  'true',
  'echo',
  'date',
  'printf',
  'hostname',
  'env',
  'pwd',
  'ls',
  'cat',
  ':',
  'set',
  'mkdir',
  'touch',
  'rm',
  'cp',
  'chmod',
  'chown',
  'id',
  'uname',
  'whoami',
  // As in the pods of `helm test`: whatever is asked answers.
  'wget',
  'curl',
  'nslookup',
]);
const UNIT_MS: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Undefined when nothing is known of the command. */
export function runScript(words: readonly string[]): ScriptEnd | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const at = SHELLS.has(baseName(program)) ? rest.findIndex((word) => /^-[a-z]*c$/.test(word)) : -1;
  const script = at === -1 ? undefined : rest[at + 1];
  if (script !== undefined) return runList(script);
  const effect = run(words);
  return effect === undefined ? undefined : { afterMs: effect.ms, exitCode: effect.code };
}

function runList(script: string): ScriptEnd | undefined {
  // Quotes and substitutions may hide separators; what is not understood is not guessed at.
  // What is written to a file takes no time, whatever the file.
  const plain = script.replace(/>{1,2}\s*[\w./-]+/g, '');
  if (/[`$(){}<>|&]/.test(plain.replaceAll('&&', '').replaceAll('||', ''))) return undefined;
  let afterMs = 0;
  let exitCode = 0;
  let operator = ';';
  for (const part of plain.split(/(&&|\|\||;|\n)/)) {
    if (part === '&&' || part === '||' || part === ';' || part === '\n') {
      operator = part;
      continue;
    }
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    // Variables of one command, or of those that follow, say nothing about how it ends.
    while (/^\w+=/.test(words[0] ?? '')) words.shift();
    if (words.length === 0) continue;
    if ((operator === '&&' && exitCode !== 0) || (operator === '||' && exitCode === 0)) continue;
    const effect = run(words, exitCode);
    if (effect === undefined) return undefined;
    afterMs += effect.ms;
    exitCode = effect.code;
    if (effect.isExit === true) break;
  }
  return { afterMs, exitCode };
}

function run([program = '', ...args]: readonly string[], lastCode = 0): Effect | undefined {
  const name = baseName(program);
  if (QUICK.has(name)) return { ms: 0, code: 0 };
  if (name === 'false') return { ms: 0, code: 1 };
  if (name === 'exit')
    return { ms: 0, code: args[0] === undefined ? lastCode : Number(args[0]) & 0xff, isExit: true };
  if (name !== 'sleep') return undefined;
  const ms = durationOf(args);
  return ms === undefined ? undefined : { ms, code: 0 };
}

/** How long `sleep` sleeps; undefined when it does not understand these arguments. */
export function durationOf(args: readonly string[]): number | undefined {
  let ms = 0;
  for (const arg of args) {
    if (arg === 'infinity') return Number.POSITIVE_INFINITY;
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg) ?? [];
    if (amount === undefined) return undefined;
    ms += Number(amount) * (UNIT_MS[unit] ?? 1000);
  }
  return ms;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
