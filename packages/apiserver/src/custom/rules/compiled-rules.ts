import type { Schema, ValidationRule } from '@windlass/apimachinery';
import { CelEnvironment, type CelProgram } from '../cel/cel-environment.ts';
import { CelError } from '../cel/cel-error.ts';
import { type CelType, DYN, optionalOf } from '../cel/language/cel-type.ts';
import { type Expr, partsOf } from '../cel/language/expr.ts';
import { declareType, type SchemaType, toCelValue } from './schema-types.ts';

/** One rule, or why it is none. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Of `self` and `oldSelf` in the rule. */
  readonly type: SchemaType;
  readonly usesOldSelf: boolean;
  readonly program: CelProgram | undefined;
  readonly message: CelProgram | undefined;
  readonly error: string | undefined;
  readonly messageError: string | undefined;
}

export interface CompiledRules {
  /** Of `self` and `oldSelf` in messages. */
  readonly type: SchemaType;
  readonly rules: readonly CompiledRule[];
}

/** Of a schema without a type, which has no rules. */
const UNTYPED: SchemaType = {
  type: DYN,
  convert: toCelValue,
  limits: { maxElements: 0, minSize: 0 },
};

/** The rules of one place of a schema. */
export function compileRules(schema: Schema, isRoot: boolean): CompiledRules {
  const plain = environmentFor(schema, isRoot, (type) => type);
  const optional = lazily(() => environmentFor(schema, isRoot, optionalOf));
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => {
    const { env, type } = rule.optionalOldSelf === true ? optional() : plain;
    const compiled = attempt(
      env,
      rule.rule,
      'bool',
      'cel expression must evaluate to a bool',
      'compilation failed',
    );
    const text = (rule.messageExpression ?? '').trim();
    const message =
      text === ''
        ? {}
        : attempt(
            plain.env,
            text,
            'string',
            'messageExpression must evaluate to a string',
            'messageExpression compilation failed',
          );
    return {
      rule,
      type,
      usesOldSelf: compiled.program !== undefined && uses(compiled.program.checked.expr, 'oldSelf'),
      program: compiled.program,
      message: message.program,
      error: compiled.error,
      messageError: message.error,
    };
  });
  return { type: plain.type, rules };
}

interface Typed {
  readonly env: CelEnvironment;
  readonly type: SchemaType;
}

function environmentFor(schema: Schema, isRoot: boolean, oldType: (type: CelType) => CelType): Typed {
  const env = CelEnvironment.create();
  const type = declareType(env, schema, isRoot) ?? UNTYPED;
  env.variable('self', type.type).variable('oldSelf', oldType(type.type));
  return { env, type };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function attempt(
  env: CelEnvironment,
  source: string,
  type: string,
  otherwise: string,
  failure: string,
): { readonly program?: CelProgram; readonly error?: string } {
  try {
    const program = env.compile(source);
    return program.type === type ? { program } : { error: otherwise };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { error: `${failure}: ${error.message}` };
  }
}

/** Whether an expression has the name of a variable in it. */
function uses(expr: Expr, name: string): boolean {
  return expr.kind === 'ident' ? expr.name === name : partsOf(expr).some((part) => uses(part, name));
}
