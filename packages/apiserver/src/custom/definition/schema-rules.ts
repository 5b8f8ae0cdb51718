import {
  type FieldError,
  type FieldPath,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  type Schema,
} from '@windlass/apimachinery';
import { appendAll, fieldOf } from '@windlass/base';
import { META_FIELDS, mapValueSchema } from '../schema/children.ts';
import { listTypeRules } from './list-type-rules.ts';
import { partsCardinality, type RuleCost, totalCostErrors } from './rule-costs.ts';
import { typeMustBe } from './type-rule.ts';

/** Where a schema is within its definition, as far as rules depend on it. */
export interface SchemaPlace {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Why there may be no default; undefined when there may. */
  readonly noDefaultsBecause?: string;
  /** Within the metadata of an object. */
  readonly isInsideMetadata?: boolean;
  /** The nearest list above whose items have no counterpart in the old object. */
  readonly uncorrelatable?: FieldPath;
  /** How often this can be in one object; undefined when nothing limits it. */
  readonly cardinality: number | undefined;
  /** The whole schema is as it was before: then what each rule costs is not asked again. */
  readonly isUnchanged?: boolean;
  /** Within allOf, anyOf, oneOf or not, where there are no validation rules to be looked at. */
  readonly isNested?: boolean;
}

/** What the validation rules of one place come to. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  readonly costs: readonly RuleCost[];
}

/** Called for every place that has validation rules. */
export type RuleVisitor = (schema: Schema, place: SchemaPlace) => RuleFindings;

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

/** What a schema may not have, and what its extensions ask for. Errors of the rules come last. */
export function validateSchema(
  schema: Schema,
  path: FieldPath,
  onRules: RuleVisitor,
  isUnchanged = false,
): FieldError[] {
  const errors: FieldError[] = [];
  const ruleErrors: FieldError[] = [];
  const costs: RuleCost[] = [];
  const root: SchemaPlace = { path, isRoot: true, cardinality: 1, isUnchanged };
  visit(schema, root, { errors, ruleErrors, costs, onRules });
  return [...errors, ...ruleErrors, ...totalCostErrors(costs, path)];
}

interface Visit {
  readonly errors: FieldError[];
  readonly ruleErrors: FieldError[];
  readonly costs: RuleCost[];
  readonly onRules: RuleVisitor;
}

function visit(schema: Schema, place: SchemaPlace, state: Visit): void {
  const { errors } = state;
  const { path } = place;
  const before = errors.length;
  const parts: SchemaPlace = { ...place, cardinality: partsCardinality(schema, place.cardinality) };
  appendAll(errors, ownRules(schema, place));
  const values = mapValueSchema(schema);
  if (schema.additionalProperties !== undefined) {
    if (Object.keys(schema.properties ?? {}).length > 0 && schema.additionalProperties !== true) {
      const text = 'additionalProperties and properties are mutual exclusive';
      errors.push(fieldForbidden(path.child('additionalProperties'), text));
    }
  }
  if (values !== undefined) {
    visit(
      values,
      {
        ...child(parts, path.child('additionalProperties')),
        ...(place.isInsideMetadata === true && {
          noDefaultsBecause: 'inside additionalProperties applying to object metadata',
        }),
      },
      state,
    );
  }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    visit(property, propertyPlace(schema, name, parts), state);
  for (const [at, other] of alternatives(schema, path))
    visit(other, { ...child(parts, at), isNested: true }, state);
  if (schema.items !== undefined && !Array.isArray(schema.items)) {
    const isCorrelated = schema['x-kubernetes-list-type'] === 'map';
    const items = child(parts, path.child('items'));
    visit(schema.items, isCorrelated ? items : { uncorrelatable: path, ...items }, state);
  }
  appendAll(errors, listTypeRules(schema, path));
  if ((schema['x-kubernetes-validations'] ?? []).length === 0 || place.isNested === true) return;
  // Rules are only looked at where the schema that they speak of is right.
  if (errors.length > before) return;
  const found = state.onRules(schema, place);
  appendAll(state.ruleErrors, found.errors);
  appendAll(state.costs, found.costs);
}

function child(place: SchemaPlace, path: FieldPath): SchemaPlace {
  return { ...place, path, isRoot: false };
}

function propertyPlace(schema: Schema, name: string, place: SchemaPlace): SchemaPlace {
  const at = child(place, place.path.child('properties').key(name));
  const isMeta = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  return {
    ...at,
    ...(isMeta && META_FIELDS.has(name) && { isInsideMetadata: true }),
    ...(place.isRoot && META_FIELDS.has(name) && { noDefaultsBecause: `in top-level ${name}` }),
  };
}

function* alternatives(schema: Schema, path: FieldPath): Generator<readonly [FieldPath, Schema]> {
  if (schema.not !== undefined) yield [path.child('not'), schema.not];
  for (const key of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, other] of (schema[key] ?? []).entries()) yield [path.child(key).index(index), other];
  }
}

function ownRules(schema: Schema, place: SchemaPlace): FieldError[] {
  const { path } = place;
  const errors: FieldError[] = [];
  const type: string | undefined = schema.type;
  if (type !== undefined && type !== '' && !TYPES.includes(type))
    errors.push(fieldNotSupported(path.child('type'), type, TYPES));
  if (schema.default !== undefined && place.noDefaultsBecause !== undefined)
    errors.push(fieldForbidden(path.child('default'), `must not be set ${place.noDefaultsBecause}`));
  for (const key of UNSUPPORTED) {
    if (fieldOf(schema, key) !== undefined)
      errors.push(fieldForbidden(path.child(key), `${key} is not supported`));
  }
  if (type === 'null') {
    const text = 'type cannot be set to null, use nullable as an alternative';
    errors.push(fieldForbidden(path.child('type'), text));
  }
  if (Array.isArray(schema.items))
    errors.push(fieldForbidden(path.child('items'), 'items must be a schema object and not an array'));
  if (place.isInsideMetadata === true && schema['x-kubernetes-embedded-resource'] === true) {
    const text = 'must not be used inside of resource meta';
    errors.push(fieldForbidden(path.child('x-kubernetes-embedded-resource'), text));
  }
  if (schema.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldForbidden(path.child('uniqueItems'), text));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = path.child('x-kubernetes-preserve-unknown-fields');
    errors.push(fieldInvalid(at, false, 'must be true or undefined'));
  }
  const mapType: string | undefined = schema['x-kubernetes-map-type'];
  if (mapType !== undefined) {
    appendAll(errors, typeMustBe(schema, 'object', 'x-kubernetes-map-type', path));
    if (mapType !== 'atomic' && mapType !== 'granular')
      errors.push(fieldNotSupported(path.child('x-kubernetes-map-type'), mapType, ['atomic', 'granular']));
  }
  return errors;
}
