import { type CallExpr, type Expr, type Literal, type LoopExpr, RESULT } from './expr.ts';
import { SourceError } from './source.ts';

/**
 * What a macro becomes; undefined for a call of a function.
 *
 * @param hasBindings whether `cel.bind` is one
 * @throws SourceError
 */
export function expandMacro(call: CallExpr, hasBindings: boolean): Expr | undefined {
  const { target, args } = call;
  if (target === undefined) return call.name === 'has' && args.length === 1 ? presence(call) : undefined;
  if (hasBindings && call.name === 'bind' && target.kind === 'ident' && target.name === 'cel')
    return binding(call);
  const known = MACROS[`${call.name}/${args.length}`];
  return known?.(new Builder(call.at), target, args);
}

type Expand = (make: Builder, target: Expr, args: readonly Expr[]) => Expr | undefined;

/** Makes the parts of an expansion; they are where the macro is. */
class Builder {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  literal(value: Literal): Expr {
    return { kind: 'literal', at: this.at, value };
  }

  call(name: string, ...args: readonly Expr[]): Expr {
    return { kind: 'call', at: this.at, name, target: undefined, args };
  }

  member(name: string, target: Expr, ...args: readonly Expr[]): Expr {
    return { kind: 'call', at: this.at, name, target, args };
  }

  list(...items: readonly Expr[]): Expr {
    return { kind: 'list', at: this.at, items: items.map((value) => ({ value, isOptional: false })) };
  }

  get result(): Expr {
    return { kind: 'ident', at: this.at, name: RESULT };
  }

  loop(parts: Omit<LoopExpr, 'kind' | 'at' | 'accumulator'> & { readonly accumulator?: string }): Expr {
    return { accumulator: RESULT, ...parts, kind: 'loop', at: this.at };
  }
}

const MACROS: Readonly<Record<string, Expand>> = {
  'all/2': (make, target, args) => quantifier('all', make, target, args),
  'all/3': (make, target, args) => quantifier('all', make, target, args),
  'exists/2': (make, target, args) => quantifier('exists', make, target, args),
  'exists/3': (make, target, args) => quantifier('exists', make, target, args),
  'exists_one/2': (make, target, args) => quantifier('one', make, target, args),
  'existsOne/2': (make, target, args) => quantifier('one', make, target, args),
  'exists_one/3': (make, target, args) => quantifier('one', make, target, args),
  'existsOne/3': (make, target, args) => quantifier('one', make, target, args),
  'map/2': (make, target, [variable, body]) => mapped(make, target, variable, undefined, body),
  'map/3': (make, target, [variable, filter, body]) => mapped(make, target, variable, filter, body),
  'filter/2': (make, target, [variable, filter]) => mapped(make, target, variable, filter, variable),
  'transformList/3': (make, target, args) => transformed(make, target, args, 'list'),
  'transformList/4': (make, target, args) => transformed(make, target, args, 'list'),
  'transformMap/3': (make, target, args) => transformed(make, target, args, 'map'),
  'transformMap/4': (make, target, args) => transformed(make, target, args, 'map'),
  'transformMapEntry/3': (make, target, args) => transformed(make, target, args, 'entry'),
  'transformMapEntry/4': (make, target, args) => transformed(make, target, args, 'entry'),
  'sortBy/2': sortBy,
  'optMap/2': (make, target, [variable, body]) =>
    optional(make, target, variable, (inner) => make.call('optional.of', inner), body),
  'optFlatMap/2': (make, target, [variable, body]) =>
    optional(make, target, variable, (inner) => inner, body),
};

function presence({ at, args }: CallExpr): Expr {
  const [of] = args;
  if (of?.kind !== 'select')
    throw new SourceError([{ at: of?.at ?? at, message: 'invalid argument to has() macro' }]);
  return { ...of, at, isTest: true };
}

function nameOf(expr: Expr | undefined, message = 'argument must be a simple name'): string {
  if (expr?.kind === 'ident') return expr.name;
  throw new SourceError([{ at: expr?.at ?? 0, message }]);
}

/** The variables and the rest of the arguments: one variable, or two. */
function variables(
  args: readonly Expr[],
  count: 1 | 2,
): { readonly variable: string; readonly second: string | undefined } {
  const [variable, second] = [nameOf(args[0]), count === 2 ? nameOf(args[1]) : undefined];
  if (variable === second)
    throw new SourceError([{ at: args[1]?.at ?? 0, message: `duplicate variable name: ${variable}` }]);
  return { variable, second };
}

function quantifier(kind: 'all' | 'exists' | 'one', make: Builder, range: Expr, args: readonly Expr[]): Expr {
  const names = variables(args, args.length === 3 ? 2 : 1);
  const body = args.at(-1) ?? make.literal(true);
  const accumulated = make.result;
  switch (kind) {
    case 'all':
      return make.loop({
        ...names,
        range,
        init: make.literal(true),
        condition: make.call('@not_strictly_false', accumulated),
        step: make.call('_&&_', make.result, body),
        result: make.result,
      });
    case 'exists':
      return make.loop({
        ...names,
        range,
        init: make.literal(false),
        condition: make.call('@not_strictly_false', make.call('!_', accumulated)),
        step: make.call('_||_', make.result, body),
        result: make.result,
      });
    default:
      return make.loop({
        ...names,
        range,
        init: make.literal(0n),
        condition: make.literal(true),
        step: make.call('_?_:_', body, make.call('_+_', accumulated, make.literal(1n)), make.result),
        result: make.call('_==_', make.result, make.literal(1n)),
      });
  }
}

function mapped(
  make: Builder,
  range: Expr,
  variable: Expr | undefined,
  filter: Expr | undefined,
  body: Expr | undefined,
): Expr {
  const name = nameOf(variable, 'argument is not an identifier');
  const added = make.call('_+_', make.result, make.list(body ?? make.literal(null)));
  return make.loop({
    range,
    variable: name,
    second: undefined,
    init: make.list(),
    condition: make.literal(true),
    step: filter === undefined ? added : make.call('_?_:_', filter, added, make.result),
    result: make.result,
  });
}

function transformed(
  make: Builder,
  range: Expr,
  args: readonly Expr[],
  kind: 'list' | 'map' | 'entry',
): Expr {
  const names = variables(args, 2);
  const filter = args.length === 4 ? args[2] : undefined;
  const body = args.at(-1) ?? make.literal(null);
  const key: Expr = { kind: 'ident', at: make.at, name: names.variable };
  const added =
    kind === 'list'
      ? make.call('_+_', make.result, make.list(body))
      : kind === 'map'
        ? make.call('cel.@mapInsert', make.result, key, body)
        : make.call('cel.@mapInsert', make.result, body);
  return make.loop({
    ...names,
    range,
    init: kind === 'list' ? make.list() : { kind: 'map', at: make.at, entries: [] },
    condition: make.literal(true),
    step: filter === undefined ? added : make.call('_?_:_', filter, added, make.result),
    result: make.result,
  });
}

/** `value` under a name. Nothing is looped over: only the result is evaluated. */
function bind(make: Builder, name: string, value: Expr, result: Expr): Expr {
  return make.loop({
    range: make.list(),
    variable: '#unused',
    second: undefined,
    accumulator: name,
    init: value,
    condition: make.literal(false),
    step: { kind: 'ident', at: make.at, name },
    result,
  });
}

/** `cel.bind(name, value, result)` */
function binding({ at, args }: CallExpr): Expr | undefined {
  const [name, value, result] = args;
  if (args.length !== 3 || value === undefined || result === undefined) return undefined;
  const variable = nameOf(name, 'cel.bind() variable names must be simple identifiers');
  return bind(new Builder(at), variable, value, result);
}

function optional(
  make: Builder,
  target: Expr,
  variable: Expr | undefined,
  wrap: (inner: Expr) => Expr,
  body: Expr | undefined,
): Expr {
  const name = nameOf(variable, 'optMap() variable name must be a simple identifier');
  const inner = bind(make, name, make.member('value', target), body ?? make.literal(null));
  return make.call('_?_:_', make.member('hasValue', target), wrap(inner), make.call('optional.none'));
}

/** `list.sortBy(x, x.age)`: the keys are made first, and then the list is sorted by them. */
function sortBy(make: Builder, target: Expr, [variable, key]: readonly Expr[]): Expr {
  nameOf(variable, 'sortBy can only be applied to a simple name');
  const name = '@__sortBy_input__';
  const input: Expr = { kind: 'ident', at: make.at, name };
  const keys = mapped(make, input, variable, undefined, key);
  return bind(make, name, target, make.member('@sortByAssociatedKeys', input, keys));
}
