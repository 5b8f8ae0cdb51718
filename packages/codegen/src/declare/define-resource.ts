import type {
  ClusterKind,
  ClusterObjectMeta,
  DefaultedKind,
  NamespacedKind,
  ObjectMeta,
  ResourceType,
} from '@windlass/apimachinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  ValidationRule,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { checkNames, checkPaths } from './checks.ts';
import { type Fields, type FilledObjectOf, type Flat, type ObjectOf, object } from './collections.ts';
import type { Field, FilledTypeOf, TypeOf } from './field.ts';
import { pluralOf } from './plural.ts';
import { checkSchema } from './schema-checks.ts';

/** In place of a spec or a status where there is none. */
type None = Field<never>;

/** A custom resource: its names, its scope, and the fields of its spec and status. */
export interface ResourceDeclaration<
  Group extends string,
  Version extends string,
  Kind extends string,
  Spec extends Field<unknown>,
  Status extends Field<unknown>,
  More extends Fields,
  Namespaced extends boolean,
> {
  /** A domain of yours: `example.com`. */
  readonly group: Group;
  /** `v1`, `v1beta2`. */
  readonly version: Version;
  /** In CamelCase. */
  readonly kind: Kind;
  /** @default the kind's English plural in lower case */
  readonly plural?: string;
  /** @default the kind in lower case */
  readonly singular?: string;
  /** @default the kind and `List` */
  readonly listKind?: string;
  /** Whether objects live in namespaces. @default true */
  readonly namespaced?: Namespaced;
  /** For kubectl: `['bk']`. @default none */
  readonly shortNames?: readonly string[];
  /** `['all']` lets `kubectl get all` show it. @default none */
  readonly categories?: readonly string[];
  /** For `kubectl explain`. @default none */
  readonly description?: string;
  /** What people want. @default none */
  readonly spec?: Spec;
  /** What is. It is a part of its own: written by controllers, not by users. @default none */
  readonly status?: Status;
  /** Fields beside spec and status. @default none */
  readonly fields?: More;
  /** Rules in CEL over the whole object. @default none */
  readonly rules?: readonly ValidationRule[];
  /** What `kubectl get` shows beside the name. @default the age */
  readonly columns?: readonly CustomResourceColumnDefinition[];
  /** For `kubectl scale` and autoscalers. @default none */
  readonly scale?: CustomResourceSubresourceScale;
  /** For field selectors: `.spec.color`. @default none */
  readonly selectableFields?: readonly string[];
  /** Whether the server answers for this version. @default true */
  readonly served?: boolean;
  /** What whoever uses this version is told; `true` for the server's own words. @default not deprecated */
  readonly deprecated?: boolean | string;
  /** How objects are converted between versions; set it on the stored version. @default only `apiVersion` changes */
  readonly conversion?: CustomResourceConversion;
}

/**
 * An object of a declared kind, as it is written. `Shape` has the declared fields. `Known` is for readers: where
 * objects of the kind live, and which fields a server fills in.
 */
export type DeclaredObject<ApiVersion extends string, Kind extends string, Shape, Known = unknown> = Known & {
  apiVersion?: ApiVersion;
  kind?: Kind;
  metadata?: ObjectMeta;
} & Shape;

/** Where objects of the kind live; nothing is said when only the run of the program decides. */
type Scope<Namespaced extends boolean> = boolean extends Namespaced
  ? unknown
  : Namespaced extends true
    ? NamespacedKind
    : ClusterKind & { metadata?: ClusterObjectMeta };

type WithSpec<Spec> = [Spec] extends [None] ? unknown : { spec: Spec };

/** The fields that a kind declares, as they are written. */
type Written<Spec, Status, More> = Flat<
  ObjectOf<More & WithSpec<Spec>> & ([Status] extends [None] ? unknown : { status?: TypeOf<Status> })
>;

/** The same as a server gives them. */
type Filled<Spec, Status, More> = FilledObjectOf<More & WithSpec<Spec>> &
  ([Status] extends [None] ? unknown : { status?: FilledTypeOf<Status> });

/** What a server fills in; nothing where nothing has a default. */
type Defaults<Given, Full> = [Given] extends [Full] ? unknown : DefaultedKind<Added<Given, Full>>;

/**
 * The part of `Full` that is more than what is given, so that editors show no field twice. Lists and maps are
 * whole: of two lists, callbacks see the items of the first one only.
 */
type Added<Given, Full> = Full extends readonly unknown[]
  ? Full
  : string extends keyof Full
    ? Full
    : Full extends object
      ? Flat<{
          [K in keyof Full as K extends keyof Given
            ? [Given[K]] extends [Full[K]]
              ? never
              : K
            : K]: K extends keyof Given ? Added<Exclude<Given[K], undefined>, Full[K]> : Full[K];
        }>
      : Full;

/** A declared kind, whatever its fields. */
export interface AnyDeclaredResource extends ResourceType {
  readonly names: CustomResourceDefinitionNames;
  /** Its part in a CustomResourceDefinition. */
  readonly crdVersion: Omit<CustomResourceDefinitionVersion, 'storage'>;
  readonly conversion?: CustomResourceConversion;
}

/** What clients, informers and controllers take, with what an API server must be told to serve it. */
export type DeclaredResource<T extends { metadata?: ObjectMeta }> = ResourceType<T> &
  Omit<AnyDeclaredResource, keyof ResourceType>;

/** The object's type: `type Foo = ObjectOfKind<typeof Foo>`. */
export type ObjectOfKind<R> = R extends ResourceType<infer T> ? T : never;

/**
 * Declares one version of a kind, once for the compiler and for the server. Fields must be given unless they
 * are optional or have a default.
 * @throws InvalidDeclarationError for what no API server would accept
 */
export function defineResource<
  const Group extends string,
  const Version extends string,
  const Kind extends string,
  Spec extends Field<unknown> = None,
  Status extends Field<unknown> = None,
  // No fields is what is meant.
  // oxlint-disable-next-line typescript/no-generated-empty-object-type
  More extends Fields = Record<never, never>,
  const Namespaced extends boolean = true,
>(
  declaration: ResourceDeclaration<Group, Version, Kind, Spec, Status, More, Namespaced>,
): DeclaredResource<
  DeclaredObject<
    `${Group}/${Version}`,
    Kind,
    Written<Spec, Status, More>,
    Scope<Namespaced> & Defaults<Written<Spec, Status, More>, Filled<Spec, Status, More>>
  >
> {
  const { group, version, kind, namespaced = true, conversion, scale, status } = declaration;
  const { plural = pluralOf(kind), shortNames = [], categories = [], deprecated = false } = declaration;
  const names: CustomResourceDefinitionNames = {
    kind,
    listKind: declaration.listKind ?? `${kind}List`,
    plural,
    singular: declaration.singular ?? kind.toLowerCase(),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
  };
  checkNames(group, version, names);
  const schema = rootSchema(declaration);
  checkSchema(schema, kind);
  const { columns, selectableFields } = declaration;
  const crdVersion: AnyDeclaredResource['crdVersion'] = {
    name: version,
    served: declaration.served ?? true,
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
    schema: { openAPIV3Schema: schema },
    ...((status !== undefined || scale !== undefined) && {
      subresources: { ...(status !== undefined && { status: {} }), ...(scale !== undefined && { scale }) },
    }),
    ...(columns !== undefined && { additionalPrinterColumns: [...columns] }),
    ...(selectableFields !== undefined && {
      selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
  };
  checkPaths(kind, schema, crdVersion);
  return {
    group,
    version,
    kind,
    plural,
    namespaced,
    names,
    crdVersion,
    ...(conversion !== undefined && { conversion }),
  };
}

/** The schema of the whole object. A status is never required: whoever creates an object has none. */
function rootSchema(of: {
  readonly description?: string;
  readonly spec?: Field<unknown>;
  readonly status?: Field<unknown>;
  readonly fields?: Fields;
  readonly rules?: readonly ValidationRule[];
}): Field<unknown>['schema'] {
  const { description, spec, status, fields = {}, rules = [] } = of;
  const text = { schema: { type: 'string' }, isOptional: true };
  const root = object(
    {
      apiVersion: text,
      kind: text,
      metadata: { schema: { type: 'object' }, isOptional: true },
      ...fields,
      ...(spec !== undefined && { spec }),
      ...(status !== undefined && { status: { ...status, isOptional: true } }),
    },
    { rules, ...(description !== undefined && { description }) },
  );
  return root.schema;
}
