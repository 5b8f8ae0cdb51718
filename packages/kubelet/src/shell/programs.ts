import { sleep } from '@windlass/base';
import { dateText, echoText, printfText } from './echo.ts';
import { cat, ls, makeDirectory, remove, removeDirectory, testFile, touch } from './file-programs.ts';
import { complain, type Program, say, variable } from './program.ts';
import { tar } from './tar/tar-program.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const success: Program = async () => 0;

/** How long `sleep` sleeps with these arguments, in milliseconds; undefined when it does not understand them. */
export function sleepMs(args: readonly string[]): number | undefined {
  let ms = 0;
  for (const arg of args) {
    if (arg === 'infinity') return Number.POSITIVE_INFINITY;
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg) ?? [];
    if (amount === undefined) return undefined;
    ms += Number(amount) * (UNIT_MS[unit] ?? 1000);
  }
  return args.length === 0 ? undefined : ms;
}

const wait: Program = async (call) => {
  const ms = sleepMs(call.args);
  if (ms === undefined) return complain(call, 'sleep: invalid time interval');
  await sleep(call.clock, Math.min(ms, MAX_SLEEP_MS), call.signal);
  return 0;
};
/** As long as a timer can be set. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

const environment: Program = async (call) => {
  const lines = Object.entries(call.environment).map(([name, value]) => `${name}=${value}\n`);
  await say(call, lines.join(''));
  return 0;
};

const printEnvironment: Program = async (call) => {
  const [name] = call.args;
  if (name === undefined) return environment(call);
  const value = variable(call.environment, name);
  if (value === undefined) return 1;
  await say(call, `${value}\n`);
  return 0;
};

const BY_NAME: Readonly<Record<string, Program>> = {
  true: success,
  ':': success,
  false: async () => 1,
  echo: async (call) => say(call, echoText(call.args)).then(() => 0),
  printf: async (call) => say(call, printfText(call.args)).then(() => 0),
  date: async (call) => say(call, dateText(call.clock.now(), call.args)).then(() => 0),
  pwd: async (call) => say(call, `${call.directory}\n`).then(() => 0),
  hostname: async (call) => say(call, `${call.hostname}\n`).then(() => 0),
  whoami: async (call) => say(call, 'root\n').then(() => 0),
  id: async (call) => say(call, 'uid=0(root) gid=0(root) groups=0(root)\n').then(() => 0),
  env: environment,
  printenv: printEnvironment,
  sleep: wait,
  cat,
  ls,
  touch,
  mkdir: makeDirectory,
  rm: remove,
  rmdir: removeDirectory,
  tar,
  test: testFile,
};

/** What a simulated container can run, by name. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(Object.entries(BY_NAME));
