import {
  type DeepReadonly,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
  type Schema,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import { validateDefaults } from './default-rules.ts';
import { type DefinitionVersion, type PrinterColumn } from './definition-object.ts';
import { schemaAtPath } from './schema-path.ts';
import { type RuleFindings, type RuleVisitor, validateSchema } from './schema-rules.ts';
import { validateStructural } from './structural-rules.ts';

type Version = DeepReadonly<DefinitionVersion>;

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_SELECTABLE_FIELDS = 8;
const NO_RULES: RuleFindings = { errors: [], costs: [] };

/** Beside the status, which has an endpoint of its own, the root may only say what holds for both. */
const ROOT_FIELDS =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const ROOT_KEYS: ReadonlySet<string> = new Set([
  ...ROOT_FIELDS.split(' ').map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** What may be said of a version, or, as Kubernetes reads it, once for all when they all say the same. */
export type VersionParts = Pick<
  Version,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>;

export interface PartsPlace {
  readonly path: FieldPath;
  /** What the schema is called there. */
  readonly schemaName: 'schema' | 'validation';
  readonly hasStatus: boolean;
  /** Of the schema that selectable fields are fields of. */
  readonly schema: Schema | undefined;
  /** The schema is as it was before. */
  readonly isUnchanged?: boolean;
}

export function validateVersionParts(
  parts: VersionParts,
  { path, schemaName, hasStatus, schema, isUnchanged }: PartsPlace,
  onRules: RuleVisitor,
): FieldError[] {
  const errors: FieldError[] = [];
  if (parts.schema !== undefined && schema !== undefined)
    appendAll(errors, schemaErrors(schema, hasStatus, path.child(schemaName), onRules, isUnchanged));
  appendAll(errors, subresourceRules(parts, path.child('subresources')));
  for (const [index, column] of (parts.additionalPrinterColumns ?? []).entries())
    appendAll(errors, columnRules(column, path.child('additionalPrinterColumns').index(index)));
  appendAll(errors, selectableRules(parts, schema, path.child('selectableFields')));
  return errors;
}

/** The parts that all versions have in common, and each version without them. */
export function sharedParts(versions: readonly Version[]): {
  readonly shared: VersionParts;
  readonly own: readonly Version[];
} {
  const shared: Record<string, unknown> = {};
  for (const name of ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const) {
    const value = versions[0]?.[name];
    if (value !== undefined && versions.every((version) => deepEqual(version[name], value)))
      shared[name] = value;
  }
  const own = versions.map((version) => {
    const kept = Object.entries(version).filter(([name]) => !(name in shared));
    // Only optional parts are taken out.
    return Object.fromEntries(kept) as unknown as Version;
  });
  return { shared, own };
}

function schemaErrors(
  schema: Schema,
  hasStatus: boolean,
  path: FieldPath,
  onRules: RuleVisitor,
  isUnchanged: boolean | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('openAPIV3Schema');
  if (hasStatus && Object.keys(schema).some((key) => !ROOT_KEYS.has(key) && key !== 'nullable')) {
    const text = `only [${ROOT_FIELDS}] fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.push(fieldInvalid(at, schema, text));
  }
  if (schema.nullable === true)
    errors.push(fieldForbidden(at.child('nullable'), 'nullable cannot be true at the root'));
  const structural = validateStructural(schema, at);
  appendAll(errors, structural.length > 0 ? structural : validateDefaults(schema, at));
  const isSound = errors.length === 0;
  appendAll(errors, validateSchema(schema, at, isSound ? onRules : () => NO_RULES, isUnchanged));
  return errors;
}

export function deprecationRules(version: Version, path: FieldPath): FieldError[] {
  const { deprecated = false, deprecationWarning: text } = version;
  if (text === undefined) return [];
  if (!deprecated) return [fieldInvalid(path, text, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(text) > 256) errors.push(fieldInvalid(path, text, 'must be <= 256 characters long'));
  if (text === '') errors.push(fieldInvalid(path, text, 'must not be an empty string'));
  const at = text.search(/[^\P{C}]/u);
  if (at >= 0) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${at}`;
    errors.push(fieldInvalid(path, text, detail));
  }
  return errors;
}

function subresourceRules({ subresources }: VersionParts, path: FieldPath): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  return [
    ...scalePathRules(scale.specReplicasPath, ['.spec.'], path.child('scale.specReplicasPath'), true),
    ...scalePathRules(scale.statusReplicasPath, ['.status.'], path.child('scale.statusReplicasPath'), true),
    ...scalePathRules(
      scale.labelSelectorPath ?? '',
      ['.spec.', '.status.'],
      path.child('scale.labelSelectorPath'),
      false,
    ),
  ];
}

function scalePathRules(
  text: string,
  prefixes: readonly string[],
  path: FieldPath,
  isRequired: boolean,
): FieldError[] {
  if (text === '') return isRequired ? [fieldRequired(path)] : [];
  if (!text.startsWith('.')) return [fieldInvalid(path, text, 'must be a simple json path starting with .')];
  if (prefixes.some((prefix) => text.startsWith(prefix))) return [];
  const where = prefixes.map((prefix) => prefix.slice(0, -1));
  const under = where.length === 1 ? where[0] : `either ${where.join(' or ')}`;
  return [fieldInvalid(path, text, `should be a json path under ${under}`)];
}

function columnRules(column: DeepReadonly<PrinterColumn>, path: FieldPath): FieldError[] {
  const { name, type, format = '', jsonPath } = column;
  const errors: FieldError[] = [];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (name === '') errors.push(fieldRequired(path.child('name')));
  if (type === '') errors.push(fieldRequired(path.child('type'), types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(fieldInvalid(path.child('type'), type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    const text = `must be one of ${COLUMN_FORMATS.join(',')}`;
    errors.push(fieldInvalid(path.child('format'), format, text));
  }
  const at = path.child('JSONPath');
  if (jsonPath === '') errors.push(fieldRequired(at));
  else if (!jsonPath.startsWith('.'))
    errors.push(fieldInvalid(at, jsonPath, 'must be a simple json path starting with .'));
  return errors;
}

function selectableRules(version: VersionParts, schema: Schema | undefined, path: FieldPath): FieldError[] {
  const fields = version.selectableFields ?? [];
  if (fields.length === 0) return [];
  if (schema === undefined) {
    const text = 'may only be set when `version.schema.openAPIV3Schema` is not included';
    return [fieldInvalid(path, '', text)];
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = path.index(index).child('jsonPath');
    if (jsonPath === '') {
      errors.push(fieldRequired(at));
      continue;
    }
    const found = schemaAtPath(schema, jsonPath, false);
    if ('problem' in found) {
      errors.push(fieldInvalid(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (found.path === 'metadata' || found.path.startsWith('metadata.'))
      errors.push(fieldInvalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema.type ?? '')) {
      const text =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(fieldInvalid(at, jsonPath, text));
    }
    if (seen.has(found.path)) errors.push(fieldDuplicate(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) errors.push(fieldTooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  return errors;
}
