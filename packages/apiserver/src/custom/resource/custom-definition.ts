import {
  apiVersionOf,
  builtinSchemas,
  type DeepReadonly,
  newBadRequest,
  type Schema,
  TypedFormError,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import type {
  Decoded,
  DefinitionOrigin,
  ResourceDefinition,
  SubresourceDefinition,
  Verb,
} from '../../resource/definition.ts';
import { storageVersionHash } from '../../resource/storage-version-hash.ts';
import type { Stored } from '../../resource/strategy.ts';
import {
  type DefinitionVersion,
  type StoredDefinition,
  schemaOf,
  storageVersionOf,
} from '../definition/definition-object.ts';
import { findByJsonPath, parseJsonPath } from '../json-path.ts';
import { pruneNulls } from '../schema/defaulting.ts';
import { coerceEmbedded, typedMetadata } from '../schema/embedded-metadata.ts';
import { pruneUnknownFields } from '../schema/pruning.ts';
import { type Converter, storageForm } from './conversion.ts';
import { customPrinter } from './custom-printer.ts';
import { customStrategy } from './custom-strategy.ts';
import { deprecationOf } from './deprecation.ts';

const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const PART_VERBS: readonly Verb[] = ['get', 'patch', 'update'];
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

export interface CustomDefinitionOptions {
  /** Between versions, when their definition says how. */
  readonly converter: Converter | undefined;
  /** Nothing new may come: the definition is on its way out. */
  readonly isTerminating: boolean;
}

/** What is served for a custom resource definition: one for each version that it serves. */
export function customDefinitions(
  definition: StoredDefinition,
  options: CustomDefinitionOptions,
): ResourceDefinition[] {
  const { converter, isTerminating } = options;
  // One for all versions: by its identity it is known whether somebody has it.
  const madeOf: DefinitionOrigin = { object: definition, isTerminating, hasWebhook: converter !== undefined };
  return definition.spec.versions
    .filter(({ served }) => served)
    .map((version) => ({ ...versionDefinition(definition, version, options), madeOf }));
}

function versionDefinition(
  { spec, status }: StoredDefinition,
  version: DeepReadonly<DefinitionVersion>,
  options: CustomDefinitionOptions,
): ResourceDefinition {
  const { group } = spec;
  const names = status?.acceptedNames ?? spec.names;
  const { kind } = spec.names;
  const schema: Schema = schemaOf(version) ?? {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  };
  const identity = { group, version: version.name, kind };
  return {
    ...identity,
    listKind: spec.names.listKind ?? `${kind}List`,
    plural: spec.names.plural,
    singular: names.singular ?? kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    isCustom: true,
    ...deprecationOf(spec, version),
    storageVersionHash: storageVersionHash({ group, version: storageVersionOf(spec), kind }),
    verbs: VERBS,
    subresources: subresourcesOf(identity, version),
    decode: (body) => decode(identity, schema, spec.preserveUnknownFields === true, body),
    schema: servedSchema(schema),
    schemas: builtinSchemas(),
    strategy: customStrategy({
      identity,
      schema,
      version,
      isTerminating: options.isTerminating,
      plural: spec.names.plural,
    }),
    printer: customPrinter(version.additionalPrinterColumns),
    selectableFields: new Map((version.selectableFields ?? []).map(({ jsonPath }) => selectable(jsonPath))),
    storage: {
      group,
      plural: spec.names.plural,
      version: storageVersionOf(spec),
      ...storageForm({
        group,
        version: version.name,
        storageVersion: storageVersionOf(spec),
        schema,
        converter: options.converter,
      }),
    },
  };
}

function selectable(jsonPath: string): [string, (object: Stored) => string] {
  const path = parseJsonPath(jsonPath);
  return [
    jsonPath.replace(/^\./, ''),
    (object) => {
      const [value] = findByJsonPath(object, path);
      return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : '';
    },
  ];
}

function subresourcesOf(
  identity: { readonly group: string; readonly version: string; readonly kind: string },
  { subresources }: DeepReadonly<DefinitionVersion>,
): ReadonlyMap<string, SubresourceDefinition> {
  const parts = new Map<string, SubresourceDefinition>();
  if (subresources?.status !== undefined)
    parts.set('status', { name: 'status', verbs: PART_VERBS, kind: identity, form: { type: 'status' } });
  const scale = subresources?.scale;
  if (scale !== undefined) {
    parts.set('scale', {
      name: 'scale',
      verbs: PART_VERBS,
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      form: {
        type: 'scale',
        replicasPath: scale.specReplicasPath,
        statusReplicasPath: scale.statusReplicasPath,
        ...(scale.labelSelectorPath !== undefined && { selectorPath: scale.labelSelectorPath }),
      },
    });
  }
  return parts;
}

/** The schema with what every object has, which definitions leave out. */
function servedSchema(schema: Schema): Schema {
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: OBJECT_META },
    },
  };
}

function decode(
  identity: { readonly group: string; readonly version: string; readonly kind: string },
  schema: Schema,
  preserves: boolean,
  body: Readonly<Record<string, unknown>>,
): Decoded {
  const { kind } = identity;
  const draft: Record<string, unknown> = structuredClone(body);
  const problems: string[] = [];
  try {
    const typed = typedMetadata(draft['metadata']);
    appendAll(problems, typed.problems);
    if (typed.metadata === undefined) delete draft['metadata'];
    else draft['metadata'] = typed.metadata;
  } catch (error) {
    if (!(error instanceof TypedFormError)) throw error;
    throw newBadRequest(
      `${kind} in version ${JSON.stringify(identity.version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
  if (!preserves)
    appendAll(
      problems,
      pruneUnknownFields(draft, schema).map((path) => `unknown field "${path}"`),
    );
  coerceEmbedded(draft, schema);
  pruneNulls(draft, schema);
  draft['kind'] = kind;
  draft['apiVersion'] = apiVersionOf(identity);
  // Metadata is typed above; the rest may be anything that the schema allows.
  return { draft: draft, problems };
}
