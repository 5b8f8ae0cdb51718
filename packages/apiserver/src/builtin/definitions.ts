import {
  builtinResources,
  builtinSchemas,
  type FieldError,
  FieldPath,
  fieldErrorBody,
  type Schema,
  type ServedResource,
  schemaFor,
} from '@windlass/apimachinery';
import { defaultPrinter } from '../resource/default-printer.ts';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../resource/definition.ts';
import type { Stored, Strategy } from '../resource/strategy.ts';
import { decodeBuiltin } from './decode.ts';
import { type KindRules, kindKey, type RulesByKind } from './kind-rules.ts';
import { validateKnownFinalizer } from './shared/finalizers.ts';
import { Findings } from './shared/findings.ts';
import { validateBySchema } from './validation/schema.ts';

/** Served versions are those that a Kubernetes release serves by default: the stable ones. */
const STABLE = /^v[0-9]+$/;

const NO_RULES: KindRules = Object.freeze({});

/** Where built-in kinds keep what `scale` speaks of. */
const SCALE_FORM = {
  type: 'scale',
  replicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  selectorPath: '.spec.selector',
} as const;

/** Every built-in resource in its stable versions, with the rules of its kind. */
export function builtinDefinitions(rules: RulesByKind): ResourceDefinition[] {
  return builtinResources()
    .resources.filter((resource) => STABLE.test(resource.version))
    .map((resource) => definitionOf(resource, rules.get(kindKey(resource)) ?? NO_RULES))
    .filter((definition) => definition !== undefined);
}

function definitionOf(resource: ServedResource, rules: KindRules): ResourceDefinition | undefined {
  const { group, version, kind, plural } = resource;
  // Some are create-only and mean nothing without a rule: a review that nobody answers is not served.
  const isStored = resource.verbs.includes('get');
  if (!isStored && rules.review === undefined) return undefined;
  const schema = schemaFor({ group, version, kind });
  if (schema === undefined) return undefined;
  return {
    group,
    version,
    kind,
    listKind: resource.listKind,
    plural,
    singular: resource.singular,
    shortNames: resource.shortNames,
    categories: resource.categories,
    namespaced: resource.namespaced,
    isCustom: false,
    ...(resource.deprecation !== undefined && { deprecation: resource.deprecation }),
    ...(resource.storageVersionHash !== undefined && { storageVersionHash: resource.storageVersionHash }),
    // The table lists only verbs of the API.
    verbs: resource.verbs as readonly Verb[],
    subresources: subresourcesOf(resource, rules),
    ...(rules.review !== undefined && { review: rules.review }),
    decode: (body, known) => decodeBuiltin(resource, body, known),
    schema,
    schemas: builtinSchemas(),
    strategy: withValidation(rules, resource, schema),
    printer: rules.printer ?? defaultPrinter,
    selectableFields: selectableFieldsOf(rules),
    storage: rules.storage ?? { group, plural, version },
  };
}

/** Selectors look at what is stored. A kind that is kept in the form of another reads its fields in its own form. */
function selectableFieldsOf({
  selectableFields,
  storage,
}: KindRules): ResourceDefinition['selectableFields'] {
  const entries = Object.entries(selectableFields ?? {});
  const convert = storage?.convertFromStorage;
  if (convert === undefined) return new Map(entries);
  return new Map(entries.map(([field, read]) => [field, (stored) => read(convert(stored))]));
}

/** The kind's own rules; or, for kinds that have none here, those of its schema. What is found twice is told once. */
function withValidation(rules: KindRules, resource: ServedResource, schema: Schema): Strategy {
  const { defaults, validation, anyFinalizers = false } = rules;
  const strategy: Strategy = { ...rules.strategy, ...(defaults !== undefined && { setDefaults: defaults }) };
  // Their schemas are about schemas, and they are checked where they are put to use.
  if (resource.group === 'apiextensions.k8s.io') return strategy;
  // Theirs are whole: they are about expressions, which no schema knows.
  if (resource.group === 'admissionregistration.k8s.io' && strategy.validate !== undefined) return strategy;
  if (validation === undefined)
    return {
      ...strategy,
      validate: (object, context) =>
        once([
          ...(strategy.validate?.(object, context) ?? []),
          ...validateBySchema(object, schema, builtinSchemas()),
        ]),
    };
  const { create, update = (object, _old, findings) => create(object, findings), status } = validation;
  const finalizers = anyFinalizers ? () => [] : knownFinalizers;
  return {
    ...strategy,
    validatesUpdatesWhole: true,
    validate(object) {
      const findings = new Findings();
      create(object, findings);
      return once([...finalizers(object), ...findings.errors]);
    },
    validateUpdate(object, old) {
      const findings = new Findings();
      update(object, old, findings);
      return once([...finalizers(object), ...findings.errors]);
    },
    validateStatusUpdate(object, old) {
      const findings = new Findings();
      status?.(object, old, findings);
      return once([...finalizers(object), ...findings.errors]);
    },
  };
}

/** Built-in kinds know their finalizers; those of others have a domain. */
function knownFinalizers({ metadata }: Stored): FieldError[] {
  const findings = new Findings();
  for (const [index, finalizer] of (metadata?.finalizers ?? []).entries())
    validateKnownFinalizer(finalizer, FieldPath.of('metadata', 'finalizers').index(index), findings);
  return findings.errors;
}

/** The errors without those that say the same. A value is printed once, however many errors show it. */
function once(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  const numbers = new Map<unknown, number>();
  const texts = new Map<string, number>();
  const numberOf = (value: unknown): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    const text = fieldErrorBody({ type: 'FieldValueInvalid', field: '', badValue: value, detail: '' });
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    numbers.set(value, number);
    return number;
  };
  return errors.filter(({ type, field, badValue, detail }) => {
    const key = JSON.stringify([type, field, detail, numberOf(badValue)]);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

function subresourcesOf(resource: ServedResource, rules: KindRules): Map<string, SubresourceDefinition> {
  const subresources = new Map<string, SubresourceDefinition>();
  for (const { name, verbs, group, version, kind } of resource.subresources) {
    const rule = rules.subresources?.[name];
    const form = formOf(name, rule);
    if (form !== undefined)
      // The tables name verbs of the API only.
      subresources.set(name, { name, verbs: verbs as readonly Verb[], kind: { group, version, kind }, form });
  }
  return subresources;
}

function formOf(
  name: string,
  rule: NonNullable<KindRules['subresources']>[string] | undefined,
): SubresourceDefinition['form'] | undefined {
  if (typeof rule === 'function') return { type: 'custom', handle: rule };
  if (rule !== undefined) return rule;
  if (name === 'status') return { type: 'status' };
  return name === 'scale' ? SCALE_FORM : undefined;
}
