import { registerAddressFunctions } from './cel-addresses.ts';
import { COST_TEXT, CostExceeded, Meter, metered } from './cel-cost.ts';
import { CelError } from './cel-error.ts';
import { registerFormatFunctions } from './cel-formats.ts';
import { registerListFunctions } from './cel-lists.ts';
import { literalIssues } from './cel-literals.ts';
import { registerQuantityFunctions } from './cel-quantities.ts';
import { registerSemverFunctions } from './cel-semver.ts';
import { registerTextFunctions } from './cel-texts.ts';
import { type CelType, typeText } from './language/cel-type.ts';
import type { CheckedExpr } from './language/checked-expr.ts';
import { checkExpression } from './language/checker.ts';
import { Declarations, type ObjectClass } from './language/declarations.ts';
import { parseExpression } from './language/parser.ts';
import { compileChecked } from './language/program.ts';
import { SourceError, showIssues } from './language/source.ts';
import { registerStandardLibrary } from './standard/standard-library.ts';

/** How many steps one evaluation may take, and all the rules of an object together. */
export const STEPS_PER_EVALUATION = 1_000_000;
export const STEPS_PER_OBJECT = 10_000_000;

/** What is left for the evaluations that share it. */
export interface CelBudget {
  remaining: number;
}

/** A compiled expression. */
export interface CelProgram {
  readonly source: string;
  /** The type of what it gives: `bool`, `string`, `dyn`, … */
  readonly type: string;
  readonly checked: CheckedExpr;
  /**
   * @throws CelError `evaluate` when it failed, `cost` when it took too many steps
   */
  evaluate(variables: Readonly<Record<string, unknown>>, budget?: CelBudget): unknown;
}

/**
 * CEL with Kubernetes' libraries. Variables and types are declared first; integers are BigInts and maps
 * Maps: see `toCelValue`. Used by validation rules, admission policies and match conditions.
 */
export class CelEnvironment {
  readonly #declarations: Declarations;
  #hasBindings: boolean;

  private constructor(declarations: Declarations, hasBindings: boolean) {
    this.#declarations = declarations;
    this.#hasBindings = hasBindings;
  }

  static create(): CelEnvironment {
    base ??= createBase();
    return new CelEnvironment(new Declarations(base), false);
  }

  /** One that may be added to without changing this one. */
  clone(): CelEnvironment {
    return new CelEnvironment(new Declarations(this.#declarations), this.#hasBindings);
  }

  /** Adds a library of functions and types. */
  use(register: (declarations: Declarations) => void): this {
    register(this.#declarations);
    return this;
  }

  /** Adds the macro `cel.bind(name, value, expression)`, which Kubernetes has for devices only. */
  bindings(): this {
    this.#hasBindings = true;
    return this;
  }

  /** @param type as `parseType` reads it: `int`, `list<string>`, `map<string, dyn>`, `dyn`, or one that was declared */
  variable(name: string, type: string | CelType): this {
    this.#declarations.variable(name, type);
    return this;
  }

  /** A type whose values are instances of `objectClass`, with these fields. */
  objectType(
    name: string,
    objectClass: ObjectClass,
    fields: Readonly<Record<string, string | CelType>>,
  ): this {
    this.#declarations.declareObject(name, objectClass, fields);
    return this;
  }

  /** @throws CelError `compile` */
  compile(source: string): CelProgram {
    const checked = this.#check(source);
    const code = compileChecked(checked, this.#declarations);
    return {
      source,
      type: typeText(checked.type),
      checked,
      evaluate(variables, budget = { remaining: STEPS_PER_EVALUATION }) {
        const limit = Math.min(STEPS_PER_EVALUATION, budget.remaining);
        const meter = new Meter(limit);
        try {
          return metered(meter, () => code({ variables, slots: [], meter }));
        } catch (error) {
          if (error instanceof CostExceeded) throw new CelError('cost', COST_TEXT, error);
          throw new CelError('evaluate', error instanceof Error ? error.message : String(error), error);
        } finally {
          budget.remaining -= limit - meter.left;
        }
      },
    };
  }

  #check(source: string): CheckedExpr {
    try {
      const checked = checkExpression(parseExpression(source, this.#hasBindings), this.#declarations);
      const issues = literalIssues(checked);
      if (issues.length > 0) throw new SourceError(issues);
      return checked;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      throw new CelError('compile', showIssues(source, error.issues), error);
    }
  }
}

let base: Declarations | undefined;

function createBase(): Declarations {
  const declarations = new Declarations();
  registerStandardLibrary(declarations);
  registerListFunctions(declarations);
  registerTextFunctions(declarations);
  registerQuantityFunctions(declarations);
  registerAddressFunctions(declarations);
  registerFormatFunctions(declarations);
  registerSemverFunctions(declarations);
  return declarations;
}
