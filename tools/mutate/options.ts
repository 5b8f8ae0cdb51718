import { statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';

/** The control plane: what is built on the engine. */
const CONTROL_PLANE = ['apiserver', 'controllers', 'scheduler', 'kubelet', 'csi', 'directpv'].map(
  (name) => `packages/${name}/src`,
);
const DEFAULT_COUNT = 50;
const DEFAULT_JOBS = 2;

/** Files below a path, or one line of a file. */
export interface Scope {
  readonly path: string;
  readonly line?: number;
}

export interface Options {
  readonly scopes: readonly Scope[];
  /** @default 50; with a line, all mutants of the line */
  readonly count: number;
  /** @default 1 */
  readonly seed: number;
  /** How many mutants are judged at a time. @default 2 */
  readonly jobs: number;
  /** How many times as long as on a machine of one's own everything may take. @default 1 */
  readonly patience: number;
  readonly jsonFile?: string;
  /** What an earlier run wrote with `--json`: only those that survived in it are judged. */
  readonly againFile?: string;
}

export function readOptions(args: readonly string[], root: string): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      count: { type: 'string' },
      seed: { type: 'string' },
      jobs: { type: 'string' },
      patience: { type: 'string' },
      json: { type: 'string' },
      again: { type: 'string' },
    },
  });
  const whole = (name: 'count' | 'seed' | 'jobs' | 'patience', byDefault: number, least: number): number => {
    const text = values[name];
    const number = Number(text ?? byDefault);
    if (text === '' || !Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`--${name}`, text, `a whole number of at least ${least}`);
    return number;
  };
  const scopes = (positionals.length === 0 ? CONTROL_PLANE : positionals).map((text) => scopeOf(text, root));
  if (values.again !== undefined && statSync(values.again, { throwIfNoEntry: false }) === undefined)
    throw new InvalidArgumentError('--again', values.again, 'a file that an earlier run wrote with --json');
  const oneLine = scopes.some(({ line }) => line !== undefined);
  return {
    scopes,
    count: whole('count', oneLine ? Number.MAX_SAFE_INTEGER : DEFAULT_COUNT, 1),
    seed: whole('seed', 1, Number.MIN_SAFE_INTEGER),
    jobs: whole('jobs', DEFAULT_JOBS, 1),
    patience: whole('patience', 1, 1),
    ...(values.json !== undefined && { jsonFile: values.json }),
    ...(values.again !== undefined && { againFile: values.again }),
  };
}

function scopeOf(text: string, root: string): Scope {
  const [, path = text, line] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined || (line !== undefined && !stat.isFile()))
    throw new InvalidArgumentError('PATH', text, 'a file, a folder or FILE:LINE below the repository');
  return { path: normalize(path).replace(/\/$/, ''), ...(line !== undefined && { line: Number(line) }) };
}
