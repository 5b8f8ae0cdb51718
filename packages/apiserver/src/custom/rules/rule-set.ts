import { type FieldError, fieldErrorMessage, type Schema } from '@windlass/apimachinery';
import type { RequestContext } from '../../request/context.ts';
import type { Stored } from '../../resource/strategy.ts';
import { type CelBudget, STEPS_PER_OBJECT } from '../cel/cel-environment.ts';
import { CelError } from '../cel/cel-error.ts';
import { Optional } from '../cel/language/values.ts';
import { schemaAtPath } from '../definition/schema-path.ts';
import { isJsonObject, mapValueSchema, propertyOf } from '../schema/children.ts';
import { type Correlated, correlatedField, correlateItems, isUnchanged } from '../schema/correlation.ts';
import { type CompiledRule, type CompiledRules, compileRules } from './compiled-rules.ts';
import type { SchemaType } from './schema-types.ts';

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Rules beyond this are not run. */
class OutOfBudget extends Error {}

interface Run {
  readonly errors: FieldError[];
  readonly budget: CelBudget;
  readonly warn: (text: string) => void;
}

/** The validation rules of a schema: compiled when first needed, and then kept. */
export class RuleSet {
  readonly isEmpty: boolean;
  readonly #schema: Schema;
  readonly #compiled = new Map<Schema, CompiledRules>();

  constructor(schema: Schema) {
    this.#schema = schema;
    this.isEmpty = !hasRules(schema);
  }

  /** What the rules say about an object; what an update did not touch is only warned of. */
  validate(object: Stored, old: Stored | undefined, context: Pick<RequestContext, 'warn'>): FieldError[] {
    const errors: FieldError[] = [];
    const run: Run = {
      errors,
      budget: { remaining: STEPS_PER_OBJECT },
      warn: (text) => context.warn(text),
    };
    try {
      this.#visit(object, this.#schema, '', old === undefined ? undefined : { old }, run);
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
    }
    return errors;
  }

  #visit(value: unknown, schema: Schema, path: string, old: Correlated | undefined, run: Run): void {
    if (value === null || value === undefined) return;
    if ((schema['x-kubernetes-validations'] ?? []).length > 0) this.#evaluate(value, schema, path, old, run);
    if (Array.isArray(value)) {
      if (schema.items === undefined || !hasRules(schema.items)) return;
      const correlate = correlateItems(old, schema);
      for (const [index, item] of value.entries())
        this.#visit(item, schema.items, `${path}[${index}]`, correlate(item), run);
      return;
    }
    if (!isJsonObject(value)) return;
    const values = mapValueSchema(schema);
    for (const [name, child] of Object.entries(value)) {
      const property = propertyOf(schema, name);
      const at = property ?? values;
      if (at === undefined || !hasRules(at)) continue;
      const next = property === undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      this.#visit(child, at, next, correlatedField(old, name), run);
    }
  }

  #evaluate(value: unknown, schema: Schema, path: string, old: Correlated | undefined, run: Run): void {
    let compiled = this.#compiled.get(schema);
    if (compiled === undefined) {
      compiled = compileRules(schema, schema === this.#schema);
      this.#compiled.set(schema, compiled);
    }
    const { type, rules } = compiled;
    const oldValue = old?.old ?? undefined;
    const isSame = isUnchanged(old, value);
    for (const rule of rules) {
      if (rule.usesOldSelf && oldValue === undefined && rule.rule.optionalOldSelf !== true) continue;
      const variables = variablesOf(rule.type, value, oldValue, rule.rule.optionalOldSelf === true);
      const texts = rule.message === undefined ? {} : variablesOf(type, value, oldValue, false);
      const error = check(rule, { variables, texts }, value, schema, path, run);
      if (error === undefined) continue;
      if (isSame && !rule.usesOldSelf) run.warn(fieldErrorMessage(error));
      else run.errors.push(error);
    }
  }
}

type Variables = Readonly<Record<string, unknown>>;

function variablesOf(type: SchemaType, value: unknown, old: unknown, isOptional: boolean): Variables {
  const self = type.convert(value);
  const oldSelf = old === undefined ? undefined : type.convert(old);
  if (!isOptional) return { self, oldSelf: oldSelf ?? self };
  return { self, oldSelf: oldSelf === undefined ? Optional.none() : Optional.of(oldSelf) };
}

function check(
  { rule, program, message, error }: CompiledRule,
  { variables, texts }: { readonly variables: Variables; readonly texts: Variables },
  value: unknown,
  schema: Schema,
  path: string,
  run: Run,
): FieldError | undefined {
  const type = schema.type ?? '';
  const invalid = (detail: string): FieldError => ({
    type: 'FieldValueInvalid',
    field: path === '' ? '<nil>' : path,
    badValue: type,
    detail,
  });
  if (program === undefined) return invalid(`rule compile error: ${error ?? ''}`);
  if (run.budget.remaining <= 0) stop(run, invalid(OUT_OF_BUDGET));
  try {
    if (program.evaluate(variables, run.budget) === true) return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CelError)) throw thrown;
    if (thrown.failure !== 'cost') return invalid(`${thrown.message} evaluating rule: ${ruleText(rule)}`);
    stop(
      run,
      invalid(
        run.budget.remaining <= 0
          ? OUT_OF_BUDGET
          : `'${thrown.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`,
      ),
    );
  }
  const detail = messageOf(rule, message, texts, run);
  const field =
    rule.fieldPath === undefined || rule.fieldPath === '' ? path : pathTo(schema, rule.fieldPath, path);
  const badValue = type === 'object' || type === 'array' ? undefined : value;
  return failed(rule.reason, field === '' ? '<nil>' : field, badValue, detail);
}

function stop(run: Run, error: FieldError): never {
  run.errors.push(error);
  throw new OutOfBudget();
}

function failed(reason: string | undefined, field: string, badValue: unknown, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
      return { type: reason, field, badValue: undefined, detail };
    case 'FieldValueDuplicate':
      return { type: reason, field, badValue, detail: '' };
    default:
      return { type: 'FieldValueInvalid', field, badValue, detail };
  }
}

type Rule = CompiledRule['rule'];

function messageOf(rule: Rule, program: CompiledRule['message'], variables: Variables, run: Run): string {
  if (program !== undefined) {
    try {
      const text = program.evaluate(variables, run.budget);
      // A message of several lines, or of none, is as no message.
      if (typeof text === 'string' && text.trim() !== '' && !/[\n\r]/.test(text)) return text.trim();
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
    }
  }
  const message = (rule.message ?? '').trim();
  return message === '' ? `failed rule: ${rule.rule.trim()}` : message;
}

function ruleText(rule: Rule): string {
  const message = (rule.message ?? '').trim();
  return message === '' ? rule.rule.trim() : message;
}

function pathTo(schema: Schema, fieldPath: string, path: string): string {
  const found = schemaAtPath(schema, fieldPath);
  if ('problem' in found || found.path === '') return path;
  return path === '' || found.path.startsWith('[') ? path + found.path : `${path}.${found.path}`;
}

const KNOWN = new WeakMap<Schema, boolean>();

function hasRules(schema: Schema): boolean {
  const known = KNOWN.get(schema);
  if (known !== undefined) return known;
  const values = mapValueSchema(schema);
  const found =
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    (schema.items !== undefined && hasRules(schema.items)) ||
    (values !== undefined && hasRules(values)) ||
    Object.values(schema.properties ?? {}).some(hasRules);
  KNOWN.set(schema, found);
  return found;
}
