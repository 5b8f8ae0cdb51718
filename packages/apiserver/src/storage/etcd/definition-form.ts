// Custom resource definitions are kept in the form of v1beta1, also by the newest releases: what all versions have in
// common stands there once, so that definitions fit that are twice as long in v1.
import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '@windlass/apimachinery/api/apiextensions/v1';

const V1 = 'apiextensions.k8s.io/v1';
const V1BETA1 = 'apiextensions.k8s.io/v1beta1';

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;
type Version = DeepReadonly<CustomResourceDefinitionVersion>;
type OldColumn = Omit<DeepReadonly<CustomResourceColumnDefinition>, 'jsonPath'> & {
  readonly JSONPath: string;
};

/** What a version may have, and the whole definition instead of all versions. */
interface OldShared {
  readonly subresources?: NonNullable<Version['subresources']>;
  readonly additionalPrinterColumns?: readonly OldColumn[];
  readonly selectableFields?: NonNullable<Version['selectableFields']>;
}

interface OldVersion extends OldShared {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: NonNullable<Version['schema']>;
}

interface OldConversion {
  readonly strategy: string;
  readonly webhookClientConfig?: NonNullable<
    DeepReadonly<CustomResourceConversion>['webhook']
  >['clientConfig'];
  readonly conversionReviewVersions?: readonly string[];
}

interface OldSpec extends OldShared {
  readonly group: string;
  readonly version?: string;
  readonly names: Spec['names'];
  readonly scope: string;
  readonly validation?: NonNullable<Version['schema']>;
  readonly versions?: readonly OldVersion[];
  readonly conversion?: OldConversion;
  readonly preserveUnknownFields?: boolean;
}

export function isDefinition({ apiVersion, kind }: DeepReadonly<KubeObject>): boolean {
  return kind === 'CustomResourceDefinition' && (apiVersion === V1 || apiVersion === V1BETA1);
}

/** @param definition of v1, or of v1beta1 already */
export function toStoredDefinition(definition: DeepReadonly<KubeObject>): DeepReadonly<KubeObject> {
  if (definition.apiVersion !== V1) return definition;
  // Its apiVersion and kind say so.
  const { spec } = definition as DeepReadonly<CustomResourceDefinition>;
  const { group, names, scope, versions, conversion, preserveUnknownFields } = spec;
  const [first] = versions;
  const shared = first === undefined ? {} : sharedOf(versions, first);
  const { schema: validation, subresources, additionalPrinterColumns, selectableFields } = shared;
  const old: OldSpec = {
    group,
    ...(first !== undefined && { version: first.name }),
    names,
    scope,
    ...(validation !== undefined && { validation }),
    ...(subresources !== undefined && { subresources }),
    versions: versions.map((version) => oldVersion(version, shared)),
    ...(additionalPrinterColumns !== undefined && {
      additionalPrinterColumns: additionalPrinterColumns.map(oldColumn),
    }),
    ...(selectableFields !== undefined && { selectableFields }),
    ...(conversion !== undefined && { conversion: oldConversion(conversion) }),
    preserveUnknownFields: preserveUnknownFields ?? false,
  };
  // The type of any kind does not name a spec.
  return { ...definition, apiVersion: V1BETA1, spec: old } as DeepReadonly<KubeObject>;
}

/** @param definition of v1beta1, or of v1 already */
export function fromStoredDefinition(definition: KubeObject): KubeObject {
  if (definition.apiVersion !== V1BETA1) return definition;
  // Its apiVersion and kind say so.
  const { spec: old } = definition as KubeObject & { readonly spec: OldSpec };
  const spec = {
    group: old.group,
    names: old.names,
    scope: old.scope,
    versions: versionsOf(old).map((version) => newVersion(version, old)),
    ...(old.conversion !== undefined && { conversion: newConversion(old.conversion) }),
    // What is not there is true in v1beta1, and false in v1.
    ...(old.preserveUnknownFields !== false && { preserveUnknownFields: true }),
  };
  // The type of any kind does not name a spec.
  return { ...definition, apiVersion: V1, spec } as KubeObject;
}

type Shareable = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
const SHAREABLE: readonly Shareable[] = [
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
];

/** What is the same in all versions. */
function sharedOf(versions: readonly Version[], first: Version): Pick<Version, Shareable> {
  const same = SHAREABLE.filter((field) =>
    versions.every((version) => isDeepStrictEqual(version[field], first[field])),
  ).filter((field) => first[field] !== undefined);
  return Object.fromEntries(same.map((field) => [field, first[field]]));
}

function oldVersion(version: Version, shared: Pick<Version, Shareable>): OldVersion {
  const { name, served, storage, deprecated, deprecationWarning } = version;
  const own = <Field extends Shareable>(field: Field): Version[Field] | undefined =>
    field in shared ? undefined : version[field];
  const columns = own('additionalPrinterColumns');
  const [schema, subresources, selectableFields] = [
    own('schema'),
    own('subresources'),
    own('selectableFields'),
  ];
  return {
    name,
    served,
    storage,
    ...(deprecated !== undefined && { deprecated }),
    ...(deprecationWarning !== undefined && { deprecationWarning }),
    ...(schema !== undefined && { schema }),
    ...(subresources !== undefined && { subresources }),
    ...(columns !== undefined && { additionalPrinterColumns: columns.map(oldColumn) }),
    ...(selectableFields !== undefined && { selectableFields }),
  };
}

/** One that names no versions has the one that `version` names. */
function versionsOf({ versions = [], version }: OldSpec): readonly OldVersion[] {
  if (versions.length > 0 || version === undefined) return versions;
  return [{ name: version, served: true, storage: true }];
}

function newVersion(version: OldVersion, old: OldSpec): Version {
  const { additionalPrinterColumns: own, ...rest } = version;
  const columns = own ?? old.additionalPrinterColumns;
  return {
    ...(old.validation !== undefined && { schema: old.validation }),
    ...(old.subresources !== undefined && { subresources: old.subresources }),
    ...(old.selectableFields !== undefined && { selectableFields: old.selectableFields }),
    ...rest,
    ...(columns !== undefined && { additionalPrinterColumns: columns.map(newColumn) }),
  };
}

function oldColumn({ jsonPath, ...rest }: DeepReadonly<CustomResourceColumnDefinition>): OldColumn {
  return { ...rest, JSONPath: jsonPath };
}

function newColumn({ JSONPath: jsonPath, ...rest }: OldColumn): DeepReadonly<CustomResourceColumnDefinition> {
  return { ...rest, jsonPath };
}

function oldConversion({ strategy, webhook }: DeepReadonly<CustomResourceConversion>): OldConversion {
  return {
    strategy,
    ...(webhook?.clientConfig !== undefined && { webhookClientConfig: webhook.clientConfig }),
    ...(webhook !== undefined && { conversionReviewVersions: webhook.conversionReviewVersions }),
  };
}

function newConversion({
  strategy,
  webhookClientConfig,
  conversionReviewVersions,
}: OldConversion): DeepReadonly<CustomResourceConversion> {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig !== undefined && { clientConfig: webhookClientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? [],
    },
  };
}
