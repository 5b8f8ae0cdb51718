import { compileGoRegexp } from '../regexp/go-regexp.ts';

/** A part of an expression's tree. */
interface Node {
  readonly op?: string;
  readonly args?: unknown;
  readonly pos?: number;
}

const DURATION =
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  matches: isExpression,
  duration: (text) => text === '0' || DURATION.test(text),
  timestamp: (text) => TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)),
};

/** What is wrong with a text that an expression writes down, where it can be seen without evaluating it. */
export function literalProblem(
  tree: unknown,
): { readonly message: string; readonly start: number } | undefined {
  const seen = new Set<object>();
  const stack: unknown[] = [tree];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const { op, args } = value as Node;
    const call = callOf(op, args);
    const literal = call?.argument;
    if (call !== undefined && literal?.op === 'value' && typeof literal.args === 'string') {
      const isRight = CHECKS[call.name];
      if (isRight !== undefined && !isRight(literal.args))
        return { message: `invalid ${call.name} argument`, start: literal.pos ?? 0 };
    }
    if (Array.isArray(value)) stack.push(...value);
    else if (args !== undefined) stack.push(args);
  }
  return undefined;
}

/** A call and its only argument: `duration("1s")`, `text.matches("a")`. */
function callOf(
  op: string | undefined,
  args: unknown,
): { name: string; argument: Node | undefined } | undefined {
  if (!Array.isArray(args) || (op !== 'call' && op !== 'rcall')) return undefined;
  const [name, given] = [args[0] as unknown, args.at(-1) as unknown];
  if (typeof name !== 'string' || !Array.isArray(given) || given.length !== 1) return undefined;
  return (name === 'matches') === (op === 'rcall') ? { name, argument: given[0] as Node } : undefined;
}

function isExpression(pattern: string): boolean {
  try {
    compileGoRegexp(pattern);
    return true;
  } catch {
    return false;
  }
}
