import type { Environment } from '@marcbachmann/cel-js';
import { lessThan } from './cel-compare.ts';
import { charge } from './cel-cost.ts';

// The engine's own macros are made in the same way, but it has no types for them.

interface Context {
  forkWithVariable(name: string, type: Type): Context;
  reuse(parent: Context): Context;
  setIterValue(value: unknown, evaluator: Evaluator): Context;
}

interface Type {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
}

interface Node {
  readonly op: string;
  readonly args: unknown;
}

interface Evaluator {
  run(node: Node, context: Context): unknown;
}

interface Checker {
  check(node: Node, context: Context): Type;
  getType(name: string): Type;
  createError(code: string, message: string, node: Node): Error;
}

interface Expansion {
  readonly args: readonly Node[];
  readonly receiver: Node;
  readonly ast: Node;
}

/** What is done with the items of a list or a map. */
interface Loop {
  readonly result: string;
  /** `test` is there when the macro was given a filter. */
  readonly run: (items: Iterable<Item>, isLimited: boolean) => unknown;
}

interface Item {
  readonly key: unknown;
  readonly value: unknown;
  /** Evaluates an argument with the item as its variables. */
  readonly filter: (() => unknown) | undefined;
  readonly body: () => unknown;
}

interface Macro extends Expansion {
  readonly key: string;
  readonly value: string;
  readonly filter: Node | undefined;
  readonly body: Node;
  outer?: Context;
  inner?: Context;
}

/** Loops over lists and maps with two variables: the index or key, and the value. */
export function registerMacros(env: Environment): void {
  const macro = (name: string, count: 3 | 4, loop: Loop): void => {
    const signature = `list.${name}(${Array.from({ length: count }, () => 'ast').join(', ')}): ${loop.result}`;
    env.registerFunction(signature, (expansion: Expansion) => expand(expansion, count === 4, loop));
  };
  macro('all', 3, { result: 'bool', run: (items) => quantify(items, false) });
  macro('exists', 3, { result: 'bool', run: (items) => quantify(items, true) });
  macro('existsOne', 3, {
    result: 'bool',
    run: (items) => [...items].filter((item) => isTrue(item.body())).length === 1,
  });
  for (const count of [3, 4] as const) {
    macro('transformList', count, {
      result: 'list<dyn>',
      run: (items) => chosen(items).map((item) => item.body()),
    });
    macro('transformMap', count, {
      result: 'map<dyn, dyn>',
      run: (items) => new Map(chosen(items).map((item) => [item.key, item.body()])),
    });
    macro('transformMapEntry', count, { result: 'map<dyn, dyn>', run: mergeEntries });
  }
  env.registerFunction('list.sortBy(ast, ast): list<dyn>', sortBy);
}

function chosen(items: Iterable<Item>): Item[] {
  return [...items].filter(({ filter }) => filter === undefined || isTrue(filter()));
}

/** What one item decides, others that failed cannot change. */
function quantify(items: Iterable<Item>, decisive: boolean): boolean {
  let failed: { readonly error: unknown } | undefined;
  for (const item of items) {
    try {
      if (isTrue(item.body()) === decisive) return decisive;
    } catch (error) {
      failed ??= { error };
    }
  }
  if (failed !== undefined) throw failed.error;
  return !decisive;
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error('no such overload');
}

function mergeEntries(items: Iterable<Item>): Map<unknown, unknown> {
  const merged = new Map<unknown, unknown>();
  for (const item of chosen(items)) {
    for (const [key, value] of entriesOf(item.body())) {
      if (merged.has(key)) throw new Error(`insert failed: key '${String(key)}' already exists`);
      merged.set(key, value);
    }
  }
  return merged;
}

function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(value)) return value.map((item, index) => [BigInt(index), item] as const);
  if (value instanceof Map) return value;
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  throw new Error('no such overload');
}

function nameOf(node: Node | undefined): string {
  if (node?.op === 'id' && typeof node.args === 'string') return node.args;
  throw new Error('argument must be a simple name');
}

function expand({ args, receiver, ast }: Expansion, hasFilter: boolean, loop: Loop): object {
  const body = args.at(-1);
  if (body === undefined) throw new Error('a loop needs something to do');
  const macro: Macro = {
    args,
    receiver,
    ast,
    key: nameOf(args[0]),
    value: nameOf(args[1]),
    filter: hasFilter ? args[2] : undefined,
    body,
  };
  return {
    ...macro,
    async: false,
    typeCheck(checker: Checker, self: Macro, context: Context): Type {
      const type = checker.check(receiver, context);
      const dyn = checker.getType('dyn');
      const isList = type.kind === 'list';
      self.outer = context.forkWithVariable(
        macro.key,
        isList ? checker.getType('int') : (type.keyType ?? dyn),
      );
      self.inner = self.outer.forkWithVariable(macro.value, type.valueType ?? dyn);
      if (macro.filter !== undefined) checker.check(macro.filter, self.inner);
      checker.check(body, self.inner);
      return checker.getType(loop.result);
    },
    evaluate(evaluator: Evaluator, self: Macro, context: Context): unknown {
      return loop.run(itemsOf(evaluator, self, context), hasFilter);
    },
  };
}

function* itemsOf(evaluator: Evaluator, macro: Macro, context: Context): Generator<Item> {
  for (const [key, value] of entriesOf(evaluator.run(macro.receiver, context))) {
    const scope = (): Context => {
      const outer = macro.outer?.reuse(context).setIterValue(key, evaluator);
      const inner =
        outer === undefined ? undefined : macro.inner?.reuse(outer).setIterValue(value, evaluator);
      if (inner === undefined) throw new Error('the expression was not checked');
      return inner;
    };
    const { filter, body } = macro;
    yield {
      key,
      value,
      filter: filter === undefined ? undefined : () => evaluator.run(filter, scope()),
      body: () => evaluator.run(body, scope()),
    };
  }
}

/** `list.sortBy(x, x.age)` */
function sortBy({ args, receiver, ast }: Expansion): object {
  const name = nameOf(args[0]);
  const by = args[1];
  if (by === undefined) throw new Error('sortBy needs something to sort by');
  let scope: Context | undefined;
  return {
    args,
    receiver,
    ast,
    by,
    async: false,
    typeCheck(checker: Checker, _self: unknown, context: Context): Type {
      const type = checker.check(receiver, context);
      scope = context.forkWithVariable(name, type.valueType ?? checker.getType('dyn'));
      checker.check(by, scope);
      return type.kind === 'list' ? type : checker.getType('list<dyn>');
    },
    evaluate(evaluator: Evaluator, _self: unknown, context: Context): unknown {
      const list = evaluator.run(receiver, context);
      if (!Array.isArray(list) || scope === undefined) throw new Error('no such overload');
      charge(list.length * Math.ceil(Math.log2(list.length + 2)));
      const checked = scope;
      return list
        .map((item: unknown) => ({
          item,
          key: evaluator.run(by, checked.reuse(context).setIterValue(item, evaluator)),
        }))
        .toSorted((a, b) => (lessThan(a.key, b.key) ? -1 : lessThan(b.key, a.key) ? 1 : 0))
        .map(({ item }) => item);
    },
  };
}
