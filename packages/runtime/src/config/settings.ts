import { parseDuration } from '@windlass/apimachinery';
import { isLogLevel, LOG_LEVELS, toError, WindlassError } from '@windlass/base';

/** A setting cannot be used. The message names where it came from. */
export class InvalidSettingError extends WindlassError {
  constructor(origin: string, problem: string) {
    super(`${origin} ${problem}`, { code: 'INVALID_SETTING' });
  }
}

export interface Setting<T> {
  /** As a flag: `leader-elect`. The same in an environment variable and in a file, as these write it. */
  readonly name: string;
  readonly help: string;
  /** What stands for the value in the help; none for a switch. */
  readonly value?: string;
  /** @throws an Error that says what is wrong with the text */
  readonly parse: (text: string) => T;
}

export function duration(name: string, help: string): Setting<number> {
  return { name, help, value: 'DURATION', parse: (text) => parseDuration(text) };
}

export function text(name: string, help: string, value = 'TEXT'): Setting<string> {
  return { name, help, value, parse: (given) => given };
}

export function list(name: string, help: string): Setting<readonly string[]> {
  return {
    name,
    help,
    value: 'A,B',
    parse: (given) =>
      given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
  };
}

export function toggle(name: string, help: string): Setting<boolean> {
  return {
    name,
    help,
    parse: (given) => {
      if (given === 'true' || given === '') return true;
      if (given === 'false') return false;
      throw new TypeError('must be true or false');
    },
  };
}

export function wholeNumber(name: string, help: string, least: number): Setting<number> {
  return {
    name,
    help,
    value: 'NUMBER',
    parse: (given) => {
      const number = Number(given);
      if (!/^\d+$/.test(given) || number < least)
        throw new TypeError(`must be a whole number of at least ${least}`);
      return number;
    },
  };
}

export function level(name: string, help: string): Setting<(typeof LOG_LEVELS)[number]> {
  return {
    name,
    help,
    value: LOG_LEVELS.join('|'),
    parse: (given) => {
      if (!isLogLevel(given)) throw new TypeError(`must be one of ${LOG_LEVELS.join(', ')}`);
      return given;
    },
  };
}

/** Where a text came from, for messages: `--metrics-address`, `WINDLASS_METRICS_ADDRESS`, a file and its field. */
export interface Given {
  readonly origin: string;
  readonly text: string;
}

export function parseGiven<T>(setting: Setting<T>, { origin, text: given }: Given): T {
  try {
    return setting.parse(given);
  } catch (thrown) {
    throw new InvalidSettingError(`${origin} is ${JSON.stringify(given)}:`, toError(thrown).message);
  }
}
