import type { Schema, ValidationRule } from '@windlass/apimachinery';
import { CelEnvironment, type CelProgram } from '../cel/cel-environment.ts';
import { CelError } from '../cel/cel-error.ts';
import { declareType, type SchemaType } from './schema-types.ts';

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

/** The rules of one place of a schema. */
export function compileRules(schema: Schema, isRoot: boolean): CompiledRules {
  const plain = environmentFor(schema, isRoot, (name) => name);
  const optional = lazily(() => environmentFor(schema, isRoot, (name) => `optional<${name}>`));
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => {
    const usesOldSelf = /\boldSelf\b/.test(withoutTexts(rule.rule));
    const { env, type } = rule.optionalOldSelf === true ? optional() : plain;
    const compiled = attempt(env, rule.rule, 'bool', 'cel expression must evaluate to a bool');
    const text = (rule.messageExpression ?? '').trim();
    const message =
      text === '' ? {} : attempt(plain.env, text, 'string', 'messageExpression must evaluate to a string');
    return {
      rule,
      type,
      usesOldSelf,
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

function environmentFor(schema: Schema, isRoot: boolean, oldType: (name: string) => string): Typed {
  const env = CelEnvironment.create();
  const type = declareType(env, schema, isRoot);
  env.variable('self', type.name).variable('oldSelf', oldType(type.name));
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
): { readonly program?: CelProgram; readonly error?: string } {
  try {
    const program = env.compile(source);
    return program.type === type || program.type === 'dyn' ? { program } : { error: otherwise };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { error: `compilation failed: ${error.message}` };
  }
}

/** Words within texts are not names. */
function withoutTexts(source: string): string {
  return source.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
}
