import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  INT,
  insideOptional,
  listOf,
  mapOf,
  objectOf,
  optionalOf,
  parameter,
  parseType,
  renamed,
  STRING,
  sameType,
  typeOf,
  typeText,
} from './cel-type.ts';
import type { CheckedExpr, ResolvedCall } from './checked-expr.ts';
import type { Declarations, Overload } from './declarations.ts';
import { type CallExpr, type Expr, type LoopExpr, qualifiedName, type StructExpr } from './expr.ts';
import { literalType } from './literal-type.ts';
import { type Issue, SourceError } from './source.ts';
import { mostGeneral, Substitution } from './substitution.ts';

const TYPE_NAMES: ReadonlySet<string> = new Set(
  'bool int uint double string bytes list map null_type type google.protobuf.Timestamp google.protobuf.Duration'.split(
    ' ',
  ),
);

/** Finds the types of an expression. @throws SourceError with all that is wrong */
export function checkExpression(expr: Expr, declarations: Declarations): CheckedExpr {
  const checker = new Checker(declarations);
  const type = checker.check(expr);
  if (checker.issues.length > 0) throw new SourceError(checker.issues);
  return { expr, ...checker.results(), type: checker.final(type) };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly #declarations: Declarations;
  readonly #substitution = new Substitution();
  readonly #types = new Map<Expr, CelType>();
  readonly #calls = new Map<CallExpr, ResolvedCall>();
  readonly #names = new Map<Expr, string>();
  readonly #scopes: Map<string, CelType>[] = [];

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  results(): Omit<CheckedExpr, 'expr' | 'type'> {
    return {
      typeOf: (expr) => this.final(this.#types.get(expr) ?? DYN),
      callOf: (expr) => this.#calls.get(expr),
      nameOf: (expr) => this.#names.get(expr),
    };
  }

  final(type: CelType): CelType {
    return this.#substitution.apply(type, true);
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#named(expr, expr.name) ?? this.#undeclared(expr.at, expr.name);
      case 'select': {
        const name = qualifiedName(expr);
        const named = name === undefined ? undefined : this.#named(expr, name);
        if (named !== undefined) return named;
        const type = this.#field(this.check(expr.operand), expr.field, expr.at, false);
        return expr.isTest ? BOOL : type;
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const types = expr.items.map(({ value, isOptional }) => ({
          type: this.#maybeInside(value, isOptional),
          at: value.at,
        }));
        return listOf(this.#join(types) ?? this.#substitution.fresh());
      }
      case 'map': {
        const keys = expr.entries.map(({ key }) => ({ type: this.check(key), at: key.at }));
        const values = expr.entries.map(({ value, isOptional }) => ({
          type: this.#maybeInside(value, isOptional),
          at: value.at,
        }));
        return mapOf(
          this.#join(keys) ?? this.#substitution.fresh(),
          this.#join(values) ?? this.#substitution.fresh(),
        );
      }
      case 'struct':
        return this.#struct(expr);
      case 'loop':
        return this.#loop(expr);
      default:
        return expr satisfies never;
    }
  }

  #named(expr: Expr, written: string): CelType | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    for (const scope of this.#scopes.toReversed()) {
      const type = scope.get(name);
      if (type === undefined) continue;
      this.#names.set(expr, name);
      return type;
    }
    const type = this.#declarations.variableNamed(name) ?? this.#typeNamed(name);
    if (type !== undefined) this.#names.set(expr, name);
    return type;
  }

  #typeNamed(name: string): CelType | undefined {
    if (TYPE_NAMES.has(name)) return typeOf(parseType(name));
    const isObject =
      this.#declarations.object(name) !== undefined || this.#declarations.resolve(name) !== undefined;
    return isObject ? typeOf(objectOf(name)) : undefined;
  }

  #issue(at: number, message: string): CelType {
    this.issues.push({ at, message });
    return ERROR;
  }

  #undeclared(at: number, name: string): CelType {
    return this.#issue(at, `undeclared reference to '${name}' (in container '')`);
  }

  #field(of: CelType, field: string, at: number, isOptional: boolean): CelType {
    const given = this.#substitution.apply(of);
    const inside = insideOptional(given);
    const type = this.#fieldOf(inside ?? given, field, at);
    return inside !== undefined || isOptional ? optionalOf(type) : type;
  }

  #fieldOf(type: CelType, field: string, at: number): CelType {
    switch (type.kind) {
      case 'map':
        return parameter(type, 1);
      case 'object':
        return this.#fieldType(type.name, field) ?? this.#issue(at, `undefined field '${field}'`);
      case 'parameter':
        this.#substitution.fits(DYN, type);
        return DYN;
      case 'dyn':
      case 'error':
        return DYN;
      default:
        this.#issue(at, `type '${typeText(this.final(type))}' does not support field selection`);
        return DYN;
    }
  }

  #fieldType(object: string, field: string): CelType | undefined {
    return (
      this.#declarations.object(object)?.fields?.get(field) ??
      this.#declarations.resolve(object)?.fieldType(field)
    );
  }

  #call(expr: CallExpr): CelType {
    const { name, target, args, at } = expr;
    if (name === '_?._') {
      const [operand, field] = args;
      if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') return ERROR;
      this.#types.set(field, STRING);
      return this.#field(this.check(operand), field.value, at, true);
    }
    const types = args.map((arg) => this.check(arg));
    if (target !== undefined) {
      const prefix = qualifiedName(target);
      const whole = prefix === undefined ? undefined : `${prefix}.${name}`;
      const functions = whole === undefined ? undefined : this.#declarations.functionNamed(whole);
      if (whole !== undefined && functions !== undefined && !this.#isLocal(prefix ?? ''))
        return this.#resolve(expr, { name: whole, target: undefined, overloads: functions }, types);
    }
    const receiver = target === undefined ? [] : [this.check(target)];
    const overloads = this.#declarations.functionNamed(name);
    if (overloads === undefined) return this.#undeclared(at, name);
    return this.#resolve(expr, { name, target, overloads }, [...receiver, ...types]);
  }

  #isLocal(name: string): boolean {
    return this.#scopes.some((scope) => scope.has(name));
  }

  #resolve(expr: CallExpr, call: ResolvedCall, given: readonly CelType[]): CelType {
    const { name, target } = call;
    if (name === '_&&_' || name === '_||_') {
      const wrong = given.flatMap((type, index) =>
        this.#substitution.fits(type, BOOL) ? [] : [{ type, at: expr.args[index]?.at ?? expr.at }],
      );
      for (const { type, at } of wrong)
        this.#issue(at, `expected type 'bool' but found '${typeText(this.final(type))}'`);
      this.#calls.set(expr, call);
      return wrong.length > 0 ? ERROR : BOOL;
    }
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of call.overloads) {
      if (overload.isMember !== (target !== undefined)) continue;
      const fresh = new Map(overload.typeParameters.map((one) => [one, this.#substitution.fresh()]));
      const wanted = overload.parameters.map((type) => renamed(type, fresh));
      if (!this.#substitution.fit(given, wanted)) continue;
      fitting.push(overload);
      const type = this.#substitution.apply(renamed(overload.result, fresh));
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = DYN;
    }
    if (result === undefined) {
      const texts = given.map((type) => typeText(this.final(type)));
      const [first = '', ...rest] = texts;
      const shown = target === undefined ? `(${texts.join(', ')})` : `${first}.(${rest.join(', ')})`;
      return this.#issue(expr.at, `found no matching overload for '${name}' applied to '${shown}'`);
    }
    this.#calls.set(expr, { name, target, overloads: fitting });
    return result;
  }

  #maybeInside(value: Expr, isOptional: boolean): CelType {
    const type = this.check(value);
    if (!isOptional) return type;
    const inside = insideOptional(this.#substitution.apply(type));
    if (inside === undefined && type.kind !== 'dyn' && type.kind !== 'error')
      this.#issue(value.at, `expected type 'optional_type(${typeText(type)})' but found '${typeText(type)}'`);
    return inside ?? type;
  }

  /** The type of all items of a list. */
  #join(items: readonly { readonly type: CelType; readonly at: number }[]): CelType | undefined {
    let joined: CelType | undefined;
    for (const { type } of items) {
      if (joined === undefined) joined = type;
      else joined = this.#substitution.fits(joined, type) ? mostGeneral(joined, type) : DYN;
    }
    return joined;
  }

  #struct({ name, fields, at }: StructExpr): CelType {
    const known = this.#declarations.resolve(name);
    const declared = this.#declarations.object(name);
    const make = known?.make ?? declared?.make;
    if (make === undefined) {
      for (const { value } of fields) this.check(value);
      return declared === undefined && known === undefined
        ? this.#undeclared(at, name)
        : this.#issue(at, `'${name}' is not a message type`);
    }
    for (const field of fields) {
      const type = this.#maybeInside(field.value, field.isOptional);
      const wanted = this.#fieldType(name, field.name);
      if (wanted === undefined) this.#issue(field.at, `undefined field '${field.name}'`);
      else if (!this.#substitution.fits(wanted, type))
        this.#issue(
          field.at,
          `expected type of field '${field.name}' is '${typeText(wanted)}' but provided type is '${typeText(this.final(type))}'`,
        );
    }
    return objectOf(name);
  }

  #loop(expr: LoopExpr): CelType {
    const range = this.#substitution.apply(this.check(expr.range));
    const init = this.check(expr.init);
    const [first, second] = this.#iterated(range, expr);
    this.#scopes.push(new Map([[expr.accumulator, init]]));
    this.#scopes.push(
      new Map([
        [expr.variable, first],
        ...(expr.second === undefined ? [] : [[expr.second, second] as const]),
      ]),
    );
    this.#expect(expr.condition, BOOL);
    this.#expect(expr.step, init);
    this.#scopes.pop();
    const result = this.check(expr.result);
    this.#scopes.pop();
    return this.#substitution.apply(result);
  }

  /** The types of a loop's variables. */
  #iterated(range: CelType, { range: { at }, second }: LoopExpr): readonly [CelType, CelType] {
    switch (range.kind) {
      case 'list':
        return second === undefined ? [parameter(range, 0), DYN] : [INT, parameter(range, 0)];
      case 'map':
        return [parameter(range, 0), parameter(range, 1)];
      case 'dyn':
      case 'error':
      case 'parameter':
        this.#substitution.fits(DYN, range);
        return [DYN, DYN];
      default:
        this.#issue(
          at,
          `expression of type '${typeText(this.final(range))}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }

  #expect(expr: Expr, wanted: CelType): void {
    const type = this.check(expr);
    if (!this.#substitution.fits(wanted, type))
      this.#issue(
        expr.at,
        `expected type '${typeText(this.final(wanted))}' but found '${typeText(this.final(type))}'`,
      );
  }
}
