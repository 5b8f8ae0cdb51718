import {
  apiVersionOf,
  builtinResources,
  builtinSchemas,
  type FieldError,
  FieldPath,
  fieldErrorMessage,
  newBadRequest,
  type Schema,
  type ServedResource,
  schemaFor,
  TypedFormError,
  toTypedForm,
} from '@windlass/apimachinery';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../resource/definition.ts';
import type { Draft, Stored, Strategy } from '../resource/strategy.ts';
import { defaultPrinter } from './default-printer.ts';
import { type KindRules, kindKey, type RulesByKind } from './kind-rules.ts';
import { builtinPrinters } from './printers/index.ts';
import { builtinSelectableFields } from './selectable-fields.ts';
import { Findings } from './validation/findings.ts';
import { builtinValidations } from './validation/kinds.ts';
import { validateKnownFinalizer } from './validation/namespaces.ts';
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
    // The table lists only verbs of the API.
    verbs: resource.verbs as readonly Verb[],
    subresources: subresourcesOf(resource, rules),
    ...(rules.review !== undefined && { review: rules.review }),
    decode: (body, known) => decode(resource, body, known),
    schema,
    schemas: builtinSchemas(),
    strategy: withValidation(rules.strategy ?? {}, resource, schema),
    printer: builtinPrinters[kindKey(resource)] ?? defaultPrinter,
    selectableFields: new Map(Object.entries(builtinSelectableFields[kindKey(resource)] ?? {})),
    storage: rules.storage ?? { group, plural, version },
  };
}

/** Kinds whose finalizers need no domain, as those of custom resources. */
const ANY_FINALIZERS = new Set([
  '/v1/Event',
  'coordination.k8s.io/v1/Lease',
  'events.k8s.io/v1/Event',
  'node.k8s.io/v1/RuntimeClass',
  'policy/v1/PodDisruptionBudget',
]);

/** The kind's own rules; or, for kinds that have none here, those of its schema. What is found twice is told once. */
function withValidation(strategy: Strategy, resource: ServedResource, schema: Schema): Strategy {
  // Their schemas are about schemas, and they are checked where they are put to use.
  if (resource.group === 'apiextensions.k8s.io') return strategy;
  // Theirs are whole: they are about expressions, which no schema knows.
  if (resource.group === 'admissionregistration.k8s.io' && strategy.validate !== undefined) return strategy;
  const ofKind = builtinValidations[kindKey(resource)];
  if (ofKind === undefined)
    return {
      ...strategy,
      validate: (object, context) =>
        once([
          ...(strategy.validate?.(object, context) ?? []),
          ...validateBySchema(object, schema, builtinSchemas()),
        ]),
    };
  const { create, update = (object, _old, findings) => create(object, findings), status } = ofKind;
  const finalizers = ANY_FINALIZERS.has(kindKey(resource)) ? () => [] : knownFinalizers;
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

function once(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = fieldErrorMessage(error);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

function subresourcesOf(resource: ServedResource, rules: KindRules): Map<string, SubresourceDefinition> {
  const subresources = new Map<string, SubresourceDefinition>();
  for (const { name, verbs, group, version, kind } of resource.subresources) {
    const rule = rules.subresources?.[name];
    const form = formOf(name, rule);
    if (form !== undefined)
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

function decode(
  { group, version, kind }: ServedResource,
  body: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>> | undefined,
): { draft: Draft; problems: readonly string[] } {
  const apiVersion = apiVersionOf({ group, version });
  try {
    const { object, problems } = toTypedForm(apiVersion, kind, body, known);
    return { draft: { ...object, kind, apiVersion }, problems };
  } catch (error) {
    if (!(error instanceof TypedFormError)) throw error;
    throw newBadRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
}
