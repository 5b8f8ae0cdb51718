import {
  type DeepReadonly,
  type FieldError,
  FieldPath,
  fieldInvalid,
  newForbidden,
  type Schema,
  validateQualifiedName,
} from '@windlass/apimachinery';
import type { RequestContext } from '../../request/context.ts';
import type { Draft, Stored, Strategy } from '../../resource/strategy.ts';
import type { DefinitionVersion } from '../definition/definition-object.ts';
import { RuleSet } from '../rules/rule-set.ts';
import { withDefaults } from '../schema/defaulting.ts';
import { validateEmbedded } from '../schema/embedded-metadata.ts';
import { validateListTypes } from '../schema/list-types.ts';
import { validateAgainstSchema } from '../schema/schema-validation.ts';
import { validateScaleSpec, validateScaleStatus } from './scale-rules.ts';

export interface CustomStrategyOptions {
  readonly identity: { readonly group: string; readonly version: string; readonly kind: string };
  readonly plural: string;
  readonly schema: Schema;
  readonly version: DeepReadonly<DefinitionVersion>;
  readonly isTerminating: boolean;
}

/** Errors that make rules meaningless: they would read what is not there, or is of another type. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** The rules of a custom resource: those of its schema. */
export function customStrategy(options: CustomStrategyOptions): Strategy {
  const { schema, version, identity, plural, isTerminating } = options;
  const scale = version.subresources?.scale;
  const rules = new RuleSet(schema);
  const withRules = (
    errors: FieldError[],
    object: Stored,
    old: Stored | undefined,
    context: RequestContext,
  ): FieldError[] => {
    if (rules.isEmpty) return errors;
    // Its name is checked elsewhere, and counts as much.
    const isNamed = (object.metadata?.name ?? '') !== '';
    if (!isNamed || errors.some(({ type }) => BLOCKING.has(type))) {
      const text =
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      return [...errors, fieldInvalid(undefined, null, text)];
    }
    return [...errors, ...rules.validate(object, old, context)];
  };
  const validateWhole = (object: Stored, old: Stored | undefined, context: RequestContext): FieldError[] => {
    const errors = [
      ...validateAgainstSchema(object, schema, { old: old === undefined ? undefined : { old } }),
      ...validateScaleSpec(object, scale),
      ...validateScaleStatus(object, scale),
      ...validateEmbedded(object, schema),
      ...newListErrors(object, old, schema),
    ];
    return withRules(errors, object, old, context);
  };
  return {
    generation: 'all-but-status',
    allowUnconditionalUpdate: false,
    validatesUpdatesWhole: true,
    resetFields: {
      '': version.subresources?.status === undefined ? [] : ['status'],
      status: ['metadata', 'spec'],
    },
    setDefaults: (draft) => setDefaults(draft, schema),
    prepareForCreate(draft) {
      if (!isTerminating) return;
      throw newForbidden(
        { group: identity.group, resource: plural },
        draft.metadata?.name ?? '',
        'create not allowed while custom resource definition is terminating',
      );
    },
    validate: (object, context) => validateWhole(object, undefined, context),
    validateUpdate: (object, old, context) => validateWhole(object, old, context),
    validateStatusUpdate(object, old, context) {
      const statusSchema = schema.properties?.['status'];
      const errors = [
        ...(statusSchema === undefined || object['status'] === undefined
          ? []
          : validateAgainstSchema(object['status'], statusSchema, {
              prefix: 'status',
              old: old['status'] === undefined ? undefined : { old: old['status'] },
            })),
        ...validateScaleStatus(object, scale),
        ...newListErrors(object, old, schema),
      ];
      return withRules(errors, object, old, context);
    },
    warnings: finalizerWarnings,
  };
}

function setDefaults(draft: Draft, schema: Schema): void {
  const { metadata: _metadata, ...fields } = draft;
  // What stands at the root of the metadata is not for schemas to say.
  const { metadata: _, ...properties } = schema.properties ?? {};
  const filled = withDefaults<Record<string, unknown>>(fields, { ...schema, properties });
  if (filled !== fields) Object.assign(draft, filled);
}

/** What was wrong before stays possible. */
function newListErrors(object: Stored, old: Stored | undefined, schema: Schema): FieldError[] {
  const errors = validateListTypes(object, schema);
  return errors.length > 0 && old !== undefined && validateListTypes(old, schema).length > 0 ? [] : errors;
}

function finalizerWarnings(object: Stored, old: Stored | undefined): string[] {
  const before = new Set(old?.metadata?.finalizers ?? []);
  const path = FieldPath.of('metadata', 'finalizers').toString();
  return [...new Set(object.metadata?.finalizers ?? [])]
    .filter((name) => !before.has(name))
    .toSorted()
    .flatMap((name) => {
      const texts = validateQualifiedName(name);
      if (!name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
        const how = name.includes('.') ? ' including a path (/)' : '';
        texts.push(
          `prefer a domain-qualified finalizer name${how} to avoid accidental conflicts with other finalizer writers`,
        );
      }
      return texts.map((text) => `${path}: ${JSON.stringify(name)}: ${text}`);
    });
}
