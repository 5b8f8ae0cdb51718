import { STEPS_PER_CHARACTER } from '../cel-cost.ts';
import { type CelType, insideOptional } from '../language/cel-type.ts';
import type { CheckedExpr } from '../language/checked-expr.ts';
import { type CallExpr, type Expr, type LoopExpr, RESULT } from '../language/expr.ts';
import { Uint } from '../language/values.ts';
import { type CallEstimate, libraryCost, type Operand, patternCost } from './call-estimate.ts';
import { add, fixed, multiply, type Range, scale, UNKNOWN, union, ZERO } from './range.ts';

/** The size of what is at a path from a variable: `['self', 'items', '@items', 'name']`. */
export type SizeAt = (path: readonly string[]) => Range | undefined;

const LIST_COST = fixed(10);
const MAP_COST = fixed(30);
const OBJECT_COST = fixed(40);
const SCALARS: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'duration', 'timestamp']);

/** The sizes of the keys and the values of a list or a map. */
interface EntrySize {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entry: EntrySize | undefined;
}

/** How many steps the evaluation of an expression can take, by the sizes of what it looks at. */
export function estimateCost(checked: CheckedExpr, sizeAt: SizeAt): Range {
  return new Estimator(checked, sizeAt).cost(checked.expr);
}

class Estimator {
  readonly #checked: CheckedExpr;
  readonly #sizeAt: SizeAt;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpr, sizeAt: SizeAt) {
    this.#checked = checked;
    this.#sizeAt = sizeAt;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return ZERO;
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return fixed(1);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list': {
        const costs = expr.items.map(({ value }) => this.cost(value));
        const items = expr.items.map(({ value }) => this.#sizeOrUnknown(value));
        this.#entries.set(expr, { kind: 'list', key: fixed(1), value: spread(items) });
        return add(...costs, LIST_COST);
      }
      case 'map': {
        const costs = expr.entries.map(({ key, value }) => add(this.cost(key), this.cost(value)));
        const keys = expr.entries.map(({ key }) => this.#sizeOrUnknown(key));
        const values = expr.entries.map(({ value }) => this.#sizeOrUnknown(value));
        this.#entries.set(expr, { kind: 'map', key: spread(keys), value: spread(values) });
        return add(...costs, MAP_COST);
      }
      case 'struct':
        return add(...expr.fields.map(({ value }) => this.cost(value)), OBJECT_COST);
      case 'loop':
        return isBinding(expr) ? this.#binding(expr) : this.#loop(expr);
      default:
        return expr satisfies never;
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    this.#locals.set(name, [...(this.#locals.get(name) ?? []), local]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #sizeOf(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#pathOf(expr);
    const declared = path.length === 0 ? undefined : this.#sizeAt(path);
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    if (isScalar(this.#checked.typeOf(expr))) return fixed(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#sizeOf(expr) ?? UNKNOWN;
  }

  #entryOf(expr: Expr): EntrySize | undefined {
    const known = this.#entries.get(expr);
    if (known !== undefined || expr.kind !== 'ident') return known;
    return this.#local(expr.name)?.entry;
  }

  #select(expr: Expr & { readonly kind: 'select' }): Range {
    const cost = this.cost(expr.operand);
    if (expr.isTest) return cost;
    this.#paths.set(expr, [...this.#pathOf(expr.operand), expr.field]);
    const { kind } = this.#checked.typeOf(expr.operand);
    return kind === 'map' || kind === 'object' ? add(cost, fixed(1)) : cost;
  }

  #call(expr: CallExpr): Range {
    const call = this.#checked.callOf(expr);
    const [only] = expr.args;
    if (expr.name === 'dyn' && only !== undefined) {
      const cost = this.cost(only);
      this.#copySizes(expr, only);
      return add(fixed(1), cost);
    }
    const costs = expr.args.map((arg) => this.cost(arg));
    // Optional selections have one form, which is not looked up.
    const ids =
      expr.name === '_?._' ? ['select_optional_field'] : (call?.overloads.map(({ id }) => id) ?? []);
    const name = call?.name ?? expr.name;
    const target = call?.target;
    const targetCost = target === undefined ? ZERO : this.cost(target);
    const operand = target === undefined ? undefined : this.#operand(target);
    const operands = expr.args.map((arg) => this.#operand(arg));
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const id of ids) {
      const library = libraryCost(name, id, operand, operands);
      const own: CallEstimate =
        library === undefined
          ? this.#functionCost(expr, id, operand, operands, costs)
          : { ...library, cost: add(library.cost, ...costs) };
      cost = cost === undefined ? own.cost : union(cost, own.cost);
      if (own.size !== undefined) size = size === undefined ? own.size : union(size, own.size);
      if ((id === 'index_list' || id === 'index_map') && only !== undefined) {
        size = this.#entryOf(only)?.value;
        this.#paths.set(expr, [...this.#pathOf(only), id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#sizeOf(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return add(targetCost, cost ?? ZERO);
  }

  #operand(expr: Expr): Operand {
    const path = this.#pathOf(expr);
    const type = this.#checked.typeOf(expr);
    const isOwn = path[0] !== RESULT && path.length > 0;
    return {
      type,
      size: this.#sizeOf(expr),
      literal: expr.kind === 'literal' ? expr.value : undefined,
      itemSize: (isOwn ? this.#sizeAt([...path, '@items']) : undefined) ?? UNKNOWN,
    };
  }

  #copySizes(to: Expr, from: Expr): void {
    const [size, entry] = [this.#sizeOf(from), this.#entryOf(from)];
    if (size !== undefined) this.#sizes.set(to, size);
    if (entry !== undefined) this.#entries.set(to, entry);
  }

  /** What CEL's own functions cost. */
  #functionCost(
    expr: CallExpr,
    id: string,
    target: Operand | undefined,
    args: readonly Operand[],
    costs: readonly Range[],
  ): CallEstimate {
    const [a = UNKNOWN, b = UNKNOWN, c = UNKNOWN] = args.map(({ size }) => size ?? UNKNOWN);
    const text = target?.size ?? UNKNOWN;
    const [left = ZERO, right = ZERO, third = ZERO] = costs;
    const walked = (size: Range): Range => add(scale(size, STEPS_PER_CHARACTER), ...costs);
    switch (id) {
      case 'string_format':
        return { cost: walked(text) };
      case 'string_to_bytes':
        return { cost: walked(a), size: { min: a.min, max: a.max * 4 } };
      case 'bytes_to_string':
        return { cost: walked(a), size: { min: Math.floor(a.min / 4), max: a.max } };
      case 'starts_with_string':
      case 'ends_with_string':
        return { cost: walked(a) };
      case 'in_list':
        return { cost: add(b, ...costs) };
      case 'matches_string':
        return { cost: add(patternCost(text, a), ...costs) };
      case 'contains_string':
        return {
          cost: add(multiply(scale(text, STEPS_PER_CHARACTER), scale(a, STEPS_PER_CHARACTER)), ...costs),
        };
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: left.min, max: add(left, right).max } };
      case 'conditional': {
        const [, yes, no] = expr.args;
        if (yes !== undefined && no !== undefined) this.#joinEntries(expr, yes, no);
        return { cost: add(left, union(right, third)), size: union(b, c) };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const [first, second] = expr.args;
        if (first !== undefined && second !== undefined) this.#joinEntries(expr, first, second);
        const size = add(a, b);
        return { cost: id === 'add_list' ? add(fixed(1), ...costs) : walked(size), size };
      }
      default:
        return COMPARISONS.test(id)
          ? { cost: walked(comparedSize(a, b)) }
          : { cost: add(fixed(1), ...costs) };
    }
  }

  #joinEntries(expr: Expr, a: Expr, b: Expr): void {
    const [one, other] = [this.#entryOf(a), this.#entryOf(b)];
    if (one === undefined || other === undefined) return;
    this.#entries.set(expr, {
      kind: one.kind,
      key: union(one.key, other.key),
      value: union(one.value, other.value),
    });
  }

  #binding(expr: LoopExpr): Range {
    const { range, init, accumulator, result } = expr;
    const cost = add(this.cost(range), this.cost(init));
    this.#push(accumulator, {
      path: this.#pathOf(init),
      size: this.#sizeOf(init),
      entry: this.#entryOf(init),
    });
    const total = add(cost, this.cost(result));
    this.#pop(accumulator);
    this.#copySizes(expr, result);
    return total;
  }

  #loop(expr: LoopExpr): Range {
    const { range, init, accumulator } = expr;
    let total = add(this.cost(range), this.cost(init));
    this.#push(accumulator, {
      path: this.#pathOf(init),
      size: this.#sizeOf(init),
      entry: this.#entryOf(init),
    });
    const entry = this.#entryOf(range);
    const isList = (entry?.kind ?? this.#checked.typeOf(range).kind) === 'list';
    const path = this.#pathOf(range);
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entry?.key, entry: undefined };
    const value: Local = {
      path: [...path, isList ? '@items' : '@values'],
      size: entry?.value,
      entry: undefined,
    };
    if (expr.second === undefined) this.#push(expr.variable, isList ? value : key);
    else {
      this.#push(expr.variable, key);
      this.#push(expr.second, value);
    }
    const each = add(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(expr.variable);
    if (expr.second !== undefined) this.#pop(expr.second);
    total = add(total, this.cost(expr.result));
    this.#pop(accumulator);
    const count = this.#sizeOrUnknown(range);
    if (init.kind === 'literal') this.#sizes.set(expr, this.#sizeOrUnknown(init));
    else if (init.kind === 'list' || init.kind === 'map') {
      this.#sizes.set(expr, count);
      const made = this.#entryOf(expr.step);
      if (made !== undefined) this.#entries.set(expr, made);
    }
    return add(total, multiply(count, each));
  }
}

const COMPARISONS = /^(?:equals|not_equals|(?:less|less_equals|greater|greater_equals)_(?:string|bytes))$/;

/** Comparing ends with the shorter one. */
function comparedSize(a: Range, b: Range): Range {
  const max = Math.min(a.max, b.max);
  return { min: max > 0 ? 1 : 0, max };
}

/** From the smallest to the largest of several sizes. */
function spread(sizes: readonly Range[]): Range {
  const [first = ZERO, ...rest] = sizes;
  return rest.reduce(union, first);
}

/** A name for a value: nothing is looped over. */
function isBinding({ range, condition, accumulator }: LoopExpr): boolean {
  return (
    range.kind === 'list' &&
    range.items.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== RESULT
  );
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case 'literal':
      if (typeof expr.value === 'string') return fixed(Array.from(expr.value).length);
      if (expr.value instanceof Uint || expr.value === null || typeof expr.value !== 'object')
        return fixed(1);
      return fixed(expr.value.length);
    case 'list':
      return fixed(expr.items.length);
    case 'map':
      return fixed(expr.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  const inside = insideOptional(type);
  return inside === undefined ? SCALARS.has(type.kind) : isScalar(inside);
}
