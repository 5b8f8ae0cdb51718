import { fieldOf } from '@windlass/base';

/**
 * The simple JSONPath of custom resource definitions: `.spec.a`, `.items[0]`, `['a.b']`, `[*]`, `..name` not
 * among them, and filters by equality such as `[?(@.type=="Ready")]`.
 */
export type JsonPath = readonly Step[];

type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'all' }
  | {
      readonly type: 'filter';
      readonly path: JsonPath;
      readonly operator: '==' | '!=' | undefined;
      readonly value: unknown;
    };

const FIELD = /^\.((?:[^.[\]\\]|\\.)+)/;
const QUOTED = /^\[(?:'([^']*)'|"([^"]*)")\]/;
const INDEX = /^\[(-?\d+)\]/;
const ALL = /^(?:\[\*\]|\.\*)/;
const FILTER = /^\[\?\(\s*@((?:\.[^\s=!)]+|\[[^\]]*\])*)\s*(?:(==|!=)\s*("[^"]*"|'[^']*'|[^\s)]+)\s*)?\)\]/;

/** @throws SyntaxError when the path is of another form */
export function parseJsonPath(text: string): JsonPath {
  const steps: Step[] = [];
  let rest = text === '.' ? '' : text;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const match = pattern.exec(rest) ?? undefined;
    if (match !== undefined) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest !== '') {
    if (take(ALL) !== undefined) {
      steps.push({ type: 'all' });
      continue;
    }
    const field = take(FIELD) ?? take(QUOTED);
    if (field !== undefined) {
      steps.push({ type: 'field', name: (field[1] ?? field[2] ?? '').replaceAll(/\\(.)/g, '$1') });
      continue;
    }
    const index = take(INDEX);
    if (index !== undefined) {
      steps.push({ type: 'index', index: Number(index[1]) });
      continue;
    }
    const filter = take(FILTER);
    if (filter === undefined)
      throw new SyntaxError(`the JSONPath ${JSON.stringify(text)} has an unsupported part: ${rest}`);
    steps.push({
      type: 'filter',
      path: parseJsonPath(filter[1] ?? ''),
      operator: filter[2] as '==' | '!=' | undefined, // the pattern matches nothing else there
      value: literal(filter[3] ?? ''),
    });
  }
  return steps;
}

function literal(text: string): unknown {
  if (/^(["']).*\1$/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? text : number;
}

/** Every value at the path; none when something on the way is missing. */
export function findByJsonPath(value: unknown, path: JsonPath): unknown[] {
  let found: unknown[] = [value];
  for (const step of path) {
    found = found.flatMap((at) => follow(at, step));
    if (found.length === 0) return found;
  }
  return found;
}

function follow(value: unknown, step: Step): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  switch (step.type) {
    case 'field': {
      if (!Object.hasOwn(value, step.name) || Array.isArray(value)) return [];
      return [fieldOf(value, step.name)];
    }
    case 'index': {
      const item: unknown = Array.isArray(value) ? value.at(step.index) : undefined;
      return item === undefined ? [] : [item];
    }
    case 'all':
      return Object.values(value);
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => matches(item, step)) : [];
    default:
      return step satisfies never;
  }
}

function matches(item: unknown, { path, operator, value }: Extract<Step, { type: 'filter' }>): boolean {
  const [found] = findByJsonPath(item, path);
  if (operator === undefined) return found !== undefined;
  return found !== undefined && (found === value) === (operator === '==');
}
