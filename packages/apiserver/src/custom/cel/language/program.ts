import { CostExceeded } from '../cel-cost.ts';
import { fieldOf, isTrue, optionalField } from './access.ts';
import { callCode } from './call-code.ts';
import { insideOptional } from './cel-type.ts';
import type { CheckedExpr } from './checked-expr.ts';
import type { Code, CodeMaker } from './code.ts';
import type { Declarations } from './declarations.ts';
import { type Expr, type LoopExpr, RESULT, type SelectExpr, type StructExpr } from './expr.ts';
import { Optional, TypeValue, Uint } from './values.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const OBJECT_COST = 40;

/** What is in an accumulator after a step has failed. Others may still decide what the loop says. */
class Failed {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Turns a checked expression into code. */
export function compileChecked(checked: CheckedExpr, declarations: Declarations): Code {
  return new Compiler(checked, declarations).code(checked.expr);
}

class Compiler implements CodeMaker {
  readonly checked: CheckedExpr;
  readonly declarations: Declarations;
  /** The variables of the loops around, and their slots. The innermost is last. */
  readonly #scopes: { readonly name: string; readonly slot: number; readonly isOwned: boolean }[] = [];
  #slots = 0;

  constructor(checked: CheckedExpr, declarations: Declarations) {
    this.checked = checked;
    this.declarations = declarations;
  }

  code(expr: Expr): Code {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr;
        return () => value;
      }
      case 'ident':
        return this.#named(this.checked.nameOf(expr) ?? expr.name);
      case 'select': {
        const name = this.checked.nameOf(expr);
        return name === undefined ? this.#select(expr) : this.#named(name);
      }
      case 'call':
        return callCode(expr, this);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'loop':
        return this.#loop(expr);
      default:
        return expr satisfies never;
    }
  }

  /** The slot of an accumulator that only this loop has seen, so that it may be added to. */
  ownedSlot(expr: Expr | undefined): number | undefined {
    if (expr?.kind !== 'ident') return undefined;
    const scope = this.#scopes.findLast(({ name }) => name === expr.name);
    return scope?.isOwned === true ? scope.slot : undefined;
  }

  #named(name: string): Code {
    const scope = this.#scopes.findLast((one) => one.name === name);
    if (scope !== undefined) {
      const { slot } = scope;
      return ({ slots, meter }) => {
        meter.spend(1);
        const value = slots[slot];
        if (value instanceof Failed) throw value.error;
        return value;
      };
    }
    if (this.declarations.variableNamed(name) === undefined) {
      const type = new TypeValue(name);
      return () => type;
    }
    return ({ variables, meter }) => {
      meter.spend(1);
      const value = variables[name];
      if (value === undefined) throw new Error(`no such attribute(s): ${name}`);
      return value;
    };
  }

  #select({ operand, field, isTest }: SelectExpr): Code {
    const of = this.code(operand);
    const isOptional = insideOptional(this.checked.typeOf(operand)) !== undefined;
    if (isTest)
      return (frame) => {
        const value = of(frame);
        const inner = value instanceof Optional ? value.inner : value;
        return inner !== undefined && fieldOf(inner, field, true) !== undefined;
      };
    return (frame) => {
      const value = of(frame);
      frame.meter.spend(1);
      return isOptional || value instanceof Optional
        ? optionalField(value, field)
        : fieldOf(value, field, false);
    };
  }

  #list(expr: Expr & { readonly kind: 'list' }): Code {
    const items = expr.items.map(({ value, isOptional }) => ({ code: this.code(value), isOptional }));
    return (frame) => {
      const list: unknown[] = [];
      for (const { code, isOptional } of items) {
        const value = code(frame);
        if (!isOptional) list.push(value);
        else if (present(value)) list.push(value.inner);
      }
      frame.meter.spend(LIST_COST);
      return list;
    };
  }

  #map(expr: Expr & { readonly kind: 'map' }): Code {
    const entries = expr.entries.map(({ key, value, isOptional }) => ({
      key: this.code(key),
      value: this.code(value),
      isOptional,
    }));
    return (frame) => {
      const map = new Map<unknown, unknown>();
      for (const entry of entries) {
        const given = entry.key(frame);
        const key = given instanceof Uint ? given.value : given;
        if (typeof key === 'object' || typeof key === 'number') throw new Error('unsupported key type');
        const value = entry.value(frame);
        if (map.has(key)) throw new Error(`duplicate key: ${textOf(key)}`);
        if (!entry.isOptional) map.set(key, value);
        else if (present(value)) map.set(key, value.inner);
      }
      frame.meter.spend(MAP_COST);
      return map;
    };
  }

  #struct({ name, fields }: StructExpr): Code {
    const make = this.declarations.resolve(name)?.make ?? this.declarations.object(name)?.make;
    const parts = fields.map((field) => ({ ...field, code: this.code(field.value) }));
    return (frame) => {
      const values = new Map<string, unknown>();
      for (const part of parts) {
        const value = part.code(frame);
        if (!part.isOptional) values.set(part.name, value);
        else if (present(value)) values.set(part.name, value.inner);
      }
      frame.meter.spend(OBJECT_COST);
      return make?.(values);
    };
  }

  #loop(expr: LoopExpr): Code {
    const range = this.code(expr.range);
    const init = this.code(expr.init);
    const [accumulator, first, second] = [this.#slots++, this.#slots++, this.#slots++];
    // Only what macros make; the name of a binding may stand for a value that others have too.
    const isOwned = expr.accumulator === RESULT;
    this.#scopes.push({ name: expr.accumulator, slot: accumulator, isOwned });
    this.#scopes.push({ name: expr.variable, slot: first, isOwned: false });
    if (expr.second !== undefined) this.#scopes.push({ name: expr.second, slot: second, isOwned: false });
    const condition = this.code(expr.condition);
    const step = this.code(expr.step);
    if (expr.second !== undefined) this.#scopes.pop();
    this.#scopes.pop();
    const result = this.code(expr.result);
    this.#scopes.pop();
    // A step that fails may be made good only where the condition looks at what came of it.
    const isForgiving = expr.condition.kind !== 'literal';
    return (frame) => {
      const { slots } = frame;
      const over = range(frame);
      slots[accumulator] = init(frame);
      for (const [key, value] of itemsOf(over, expr.second !== undefined)) {
        slots[first] = key;
        slots[second] = value;
        if (!isTrue(condition(frame))) break;
        try {
          slots[accumulator] = step(frame);
        } catch (error) {
          if (!isForgiving || error instanceof CostExceeded) throw error;
          slots[accumulator] = new Failed(error);
        }
      }
      return result(frame);
    };
  }
}

function textOf(key: unknown): string {
  return typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean' ? String(key) : '';
}

function present(value: unknown): value is Optional {
  if (value instanceof Optional) return value.hasValue();
  throw new Error('no such overload');
}

function* itemsOf(over: unknown, isPair: boolean): Generator<readonly [unknown, unknown]> {
  if (Array.isArray(over)) {
    for (const [index, item] of over.entries()) yield isPair ? [BigInt(index), item] : [item, undefined];
    return;
  }
  if (over instanceof Map) {
    for (const entry of over) yield [entry[0], entry[1]];
    return;
  }
  throw new Error('no such overload');
}
