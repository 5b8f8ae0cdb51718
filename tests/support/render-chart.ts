import { encodeYaml } from '@windlass/apimachinery';

interface Surroundings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly namespace: string;
}

const ACTION = /\{\{(-?)\s*(.*?)\s*(-?)\}\}/;

/**
 * As much of Helm's templates as our chart uses: values by path, `with` and `if` with their `end`, and
 * `toYaml . | nindent N`. Anything else is an error, so that the chart stays as simple as this.
 */
export function renderChart(template: string, surroundings: Surroundings): string {
  const { text, rest } = renderUntilEnd(template, surroundings, undefined);
  if (rest !== '') throw new Error('an end without a beginning');
  return text;
}

interface Rendered {
  readonly text: string;
  /** What comes after the `end` that it stopped at. */
  readonly rest: string;
}

function renderUntilEnd(template: string, surroundings: Surroundings, dot: unknown): Rendered {
  let text = '';
  let left = template;
  for (;;) {
    const found = ACTION.exec(left);
    if (found === null) return { text: text + left, rest: '' };
    const [whole, trimBefore, action = '', trimAfter] = found;
    const before = left.slice(0, found.index);
    text += trimBefore === '-' ? before.trimEnd() : before;
    left = left.slice(found.index + whole.length);
    if (trimAfter === '-') left = left.trimStart();
    if (action === 'end') return { text, rest: left };
    const block = /^(?:with|if) (\S+)$/.exec(action);
    if (block === null) {
      text += evaluate(action, surroundings, dot);
      continue;
    }
    const isWith = action.startsWith('with');
    const value = lookUp(block[1] ?? '', surroundings, dot);
    const inner = renderUntilEnd(left, surroundings, isWith ? value : dot);
    if (isTrue(value)) text += inner.text;
    left = inner.rest;
  }
}

function evaluate(action: string, surroundings: Surroundings, dot: unknown): string {
  const [, path, indent] = /^toYaml (\S+) \| nindent (\d+)$/.exec(action) ?? [];
  if (path === undefined) return String(lookUp(action, surroundings, dot));
  const yaml = encodeYaml(lookUp(path, surroundings, dot)).trimEnd();
  const margin = ' '.repeat(Number(indent));
  return `\n${yaml
    .split('\n')
    .map((line) => margin + line)
    .join('\n')}`;
}

function lookUp(path: string, { values, namespace }: Surroundings, dot: unknown): unknown {
  if (path === '.') return dot;
  if (path === '.Release.Namespace') return namespace;
  if (!/^\.Values(?:\.\w+)+$/.test(path)) throw new Error(`the chart is to use nothing like {{ ${path} }}`);
  let value: unknown = values;
  for (const part of path.split('.').slice(2)) value = (value as Record<string, unknown> | undefined)?.[part];
  if (value === undefined) throw new Error(`values.yaml has no ${path}`);
  return value;
}

/** What Go's templates take for true. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
