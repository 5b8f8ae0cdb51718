import { Environment } from '@marcbachmann/cel-js';
import { registerAddressFunctions } from './cel-addresses.ts';
import { COST_TEXT, charge, type Meter, metered, STEPS_PER_CHARACTER } from './cel-cost.ts';
import { CelError, celMessage, compileMessage } from './cel-error.ts';
import { registerFormatFunctions } from './cel-formats.ts';
import { registerListFunctions } from './cel-lists.ts';
import { literalProblem } from './cel-literals.ts';
import { registerMacros } from './cel-macros.ts';
import { registerQuantityFunctions } from './cel-quantities.ts';
import { registerSemverFunctions } from './cel-semver.ts';
import { matchesText, registerTextFunctions } from './cel-texts.ts';

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
  readonly #engine: Environment;

  private constructor(engine: Environment) {
    this.#engine = engine;
  }

  static create(): CelEnvironment {
    base ??= createBase();
    return new CelEnvironment(base.clone());
  }

  /** One that may be added to without changing this one. */
  clone(): CelEnvironment {
    return new CelEnvironment(this.#engine.clone());
  }

  /** Adds a library of functions and types. */
  use(register: (engine: Environment) => void): this {
    register(this.#engine);
    return this;
  }

  /** @param type as CEL writes it: `int`, `list<string>`, `map<string, dyn>`, `dyn`, or one that was declared */
  variable(name: string, type: string): this {
    this.#engine.registerVariable(name, type);
    return this;
  }

  /** A type whose values are instances of `constructor`, with these fields. */
  objectType(
    name: string,
    constructor: new (...args: never[]) => object,
    fields: Readonly<Record<string, string>>,
    equal: (a: unknown, b: unknown) => boolean,
  ): this {
    this.#engine.registerType(name, { ctor: constructor, fields: { ...fields } });
    this.#engine.registerOperator(`${name} == ${name}`, equal);
    // What may be absent may be compared with nothing.
    this.#engine.registerOperator(`${name} == null`, (value: object) => absent.has(value));
    return this;
  }

  /** @throws CelError `compile` */
  compile(source: string): CelProgram {
    let parsed: ReturnType<Environment['parse']>;
    try {
      parsed = this.#engine.parse(source);
    } catch (error) {
      throw new CelError('compile', compileMessage(error, source), error);
    }
    const checked = parsed.check();
    if (!checked.valid) throw new CelError('compile', compileMessage(checked.error, source), checked.error);
    const wrong = literalProblem(parsed.ast);
    if (wrong !== undefined) {
      const { message, start } = wrong;
      throw new CelError('compile', compileMessage({ message, range: { start } }, source));
    }
    const meter: Meter = { left: 0 };
    countSteps(parsed.ast, meter);
    return {
      source,
      type: String(checked.type),
      evaluate(variables, budget = { remaining: STEPS_PER_EVALUATION }) {
        const limit = Math.min(STEPS_PER_EVALUATION, budget.remaining);
        meter.left = limit;
        let result: unknown;
        try {
          result = metered(meter, () => parsed({ ...variables }));
        } catch (error) {
          if (meter.left >= 0) throw new CelError('evaluate', celMessage(error), error);
        } finally {
          budget.remaining -= limit - meter.left;
        }
        // Quantifiers may swallow what their parts throw, so this is asked for at the end.
        if (meter.left < 0) throw new CelError('cost', COST_TEXT);
        return result;
      },
    };
  }
}

const absent = new WeakSet<object>();

/** A value of a declared type that stands for none: it equals null. */
export function absentValue<T extends object>(value: T): T {
  absent.add(value);
  return value;
}

let base: Environment | undefined;

function createBase(): Environment {
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  registerListFunctions(env);
  registerMacros(env);
  registerTextFunctions(env);
  registerQuantityFunctions(env);
  registerAddressFunctions(env);
  registerFormatFunctions(env);
  registerSemverFunctions(env);
  return env;
}

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

interface AstNode {
  readonly op?: string;
  readonly args?: unknown;
  evaluate: Evaluate;
  /** What the node really is: another one, a macro, or an operator. */
  readonly meta: { readonly alternate?: AstNode; readonly macro?: AstNode; readonly evaluate: Evaluate };
}

/** These look at all of their operands. */
const THOROUGH: ReadonlySet<string> = new Set(['call', 'rcall', '==', '!=', 'in', '+', '<', '<=', '>', '>=']);

/**
 * Every part of an expression that is evaluated is a step, and operands count by their size. The engine
 * knows no limits, so the nodes of its tree count.
 */
function countSteps(value: unknown, meter: Meter, seen = new Set<object>(), isOperand = false): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (isNode(value)) {
    const { alternate, macro, evaluate: own } = value.meta;
    const inner = alternate ?? macro;
    const evaluate = isRegularExpression(value) ? matches : own;
    value.evaluate = (evaluator, self, context) => {
      if (--meter.left < 0) throw new Error(COST_TEXT);
      const result =
        inner === undefined ? evaluate(evaluator, self, context) : inner.evaluate(evaluator, inner, context);
      if (isOperand) charge(sizeOf(result));
      return result;
    };
    countSteps(inner, meter, seen, isOperand);
    countSteps(value.args, meter, seen, THOROUGH.has(value.op ?? ''));
    return;
  }
  // The arguments of comprehensions and macros are lists and plain objects of nodes.
  if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
    for (const child of Object.values(value)) countSteps(child, meter, seen, isOperand);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * STEPS_PER_CHARACTER;
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}

/** The engine's own `matches` has another syntax, and may take for ever. */
function isRegularExpression({ op, args }: AstNode): boolean {
  return op === 'rcall' && Array.isArray(args) && args[0] === 'matches';
}

function matches(evaluator: unknown, node: unknown, context: unknown): unknown {
  // The shape of such a call: its name, the receiver, and the arguments.
  const [, receiver, [argument]] = (node as { args: [string, AstNode, AstNode[]] }).args;
  const text = receiver.evaluate(evaluator, receiver, context);
  const pattern = argument?.evaluate(evaluator, argument, context);
  if (typeof text !== 'string' || typeof pattern !== 'string') throw new Error('no such overload');
  return matchesText(text, pattern);
}

function isNode(value: object): value is AstNode {
  return 'meta' in value && 'evaluate' in value && typeof value.evaluate === 'function';
}
