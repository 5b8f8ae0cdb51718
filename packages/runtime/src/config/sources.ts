import { decodeYaml } from '@windlass/apimachinery';
import { type Given, InvalidSettingError, type Setting } from './settings.ts';

export type Origins = Map<string, Given>;

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const variable = (prefix: string, name: string): string =>
  `${prefix}_${name.replaceAll('-', '_').toUpperCase()}`;

/** `--name value`, `--name=value`, `--switch`, `--no-switch`. What is no flag is left for the caller. */
export function fromFlags(
  settings: readonly Setting<unknown>[],
  argv: readonly string[],
): { readonly given: Origins; readonly rest: readonly string[] } {
  const given: Origins = new Map();
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--') {
      rest.push(...argv.slice(at + 1));
      break;
    }
    const match = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument);
    if (match === null) {
      rest.push(argument);
      continue;
    }
    const [, flag = '', inline] = match;
    const setting = settings.find(({ name }) => name === flag || `no-${name}` === flag);
    if (setting === undefined)
      throw new InvalidSettingError(`--${flag}`, 'is no flag; --help lists those there are');
    const origin = `--${flag}`;
    if (setting.value === undefined) {
      if (flag !== setting.name && inline !== undefined)
        throw new InvalidSettingError(origin, 'takes no value');
      given.set(setting.name, { origin, text: flag === setting.name ? (inline ?? 'true') : 'false' });
      continue;
    }
    if (flag !== setting.name)
      throw new InvalidSettingError(origin, `is no flag; there is --${setting.name}`);
    const following = inline ?? argv[++at];
    if (following === undefined) throw new InvalidSettingError(origin, `needs a value: ${setting.value}`);
    given.set(setting.name, { origin, text: following });
  }
  return { given, rest };
}

export function fromEnvironment(
  settings: readonly Setting<unknown>[],
  prefix: string,
  env: Readonly<Record<string, string | undefined>>,
): Origins {
  const given: Origins = new Map();
  for (const { name } of settings) {
    const origin = variable(prefix, name);
    const text = env[origin];
    if (text !== undefined && text !== '') given.set(name, { origin, text });
  }
  return given;
}

/** YAML or JSON: an object with the settings' names in camelCase. */
export function fromFile(settings: readonly Setting<unknown>[], file: string, content: string): Origins {
  const { value } = decodeYaml(content);
  if (value === null) return new Map();
  if (typeof value !== 'object' || Array.isArray(value))
    throw new InvalidSettingError(file, 'must hold an object with settings');
  const given: Origins = new Map();
  for (const [field, entry] of Object.entries(value)) {
    const setting = settings.find(({ name }) => camelCase(name) === field);
    const origin = `${file}: ${field}`;
    if (setting === undefined) throw new InvalidSettingError(origin, 'is no setting');
    const text = Array.isArray(entry)
      ? entry.map((part) => JSON.stringify(part).replace(/^"|"$/g, '')).join(',')
      : entry;
    if (text === null || typeof text === 'object')
      throw new InvalidSettingError(origin, 'must be a single value');
    given.set(setting.name, { origin, text: String(text) });
  }
  return given;
}

export function helpText(settings: readonly Setting<unknown>[], prefix: string): string {
  const rows = settings.map(({ name, value, help }) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    `${help} (${variable(prefix, name)})`,
  ]);
  const width = Math.max(...rows.map(([flag = '']) => flag.length));
  return rows.map(([flag = '', help = '']) => `  ${flag.padEnd(width)}  ${help}\n`).join('');
}
