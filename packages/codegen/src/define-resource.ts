import {
  apiVersionOf,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
  type ResourceType,
} from '@windlass/apimachinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from './errors.ts';
import type { Field } from './field.ts';

/** An object of a declared kind, as it is read and written. */
export interface DeclaredObject<Spec, Status> extends KubeObject {
  metadata?: ObjectMeta;
  spec: Spec;
  status?: Status;
}

export interface ResourceDeclaration<Spec, Status> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** @default the kind in lower case, with an s at its end */
  readonly plural?: string;
  /** @default true */
  readonly namespaced?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly description?: string;
  readonly spec: Field<Spec>;
  /** With one, the status is a part of its own: written by controllers, not by users. @default none */
  readonly status?: Field<Status>;
  /** What `kubectl get` shows beside name and age. */
  readonly columns?: readonly CustomResourceColumnDefinition[];
  /** For `kubectl scale` and autoscalers. */
  readonly scale?: CustomResourceSubresourceScale;
  /** For field selectors: `.spec.color`. */
  readonly selectableFields?: readonly string[];
}

/** A declared kind: what clients and informers take, with what an API server must be told to serve it. */
export interface DeclaredResource<Spec, Status> extends ResourceType<DeclaredObject<Spec, Status>> {
  /** Its part in a CustomResourceDefinition. */
  readonly crdVersion: CustomResourceDefinitionVersion;
  readonly names: { readonly shortNames: readonly string[]; readonly categories: readonly string[] };
}

/** The object's type: `type Foo = ObjectOfKind<typeof Foo>`. */
export type ObjectOfKind<R> = R extends ResourceType<infer T> ? T : never;

/** Declares a kind once: its TypeScript type, and the schema that the API server holds objects to. */
export function defineResource<Spec, Status = { [key: string]: never }>(
  declaration: ResourceDeclaration<Spec, Status>,
): DeclaredResource<Spec, Status> {
  const { group, version, kind, namespaced = true, spec, status, scale, columns, description } = declaration;
  const {
    plural = `${kind.toLowerCase()}s`,
    shortNames = [],
    categories = [],
    selectableFields,
  } = declaration;
  check(
    'group',
    group,
    /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+[a-z]([-a-z0-9]*[a-z0-9])?$/,
    'a domain, such as example.com',
  );
  check('version', version, /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/, 'a version, such as v1 or v1alpha1');
  check('kind', kind, /^[A-Z][A-Za-z0-9]*$/, 'a name in CamelCase');
  check('plural', plural, /^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'lower-case letters, digits and dashes');
  const openAPIV3Schema: JSONSchemaProps = {
    type: 'object',
    ...(description !== undefined && { description }),
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: { ...spec.schema },
      ...(status !== undefined && { status: { ...status.schema } }),
    },
  };
  checkSchema(openAPIV3Schema, kind);
  return {
    group,
    version,
    kind,
    plural,
    namespaced,
    names: { shortNames, categories },
    crdVersion: {
      name: version,
      served: true,
      storage: true,
      schema: { openAPIV3Schema },
      ...((status !== undefined || scale !== undefined) && {
        subresources: { ...(status !== undefined && { status: {} }), ...(scale !== undefined && { scale }) },
      }),
      ...(columns !== undefined && { additionalPrinterColumns: [...columns] }),
      ...(selectableFields !== undefined && {
        selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })),
      }),
    },
  };
}

/** What any declared kind is, whatever its fields. */
type AnyResource = Omit<DeclaredResource<unknown, unknown>, keyof ResourceType> & ResourceType;

/**
 * What makes an API server serve the kind. Several are versions of one: the first is the one that is
 * stored, and the others are served beside it.
 */
export function customResourceDefinition(
  stored: AnyResource,
  ...others: readonly AnyResource[]
): CustomResourceDefinition {
  const { group, kind, plural, namespaced, names } = stored;
  for (const other of others) {
    if (
      other.group !== group ||
      other.kind !== kind ||
      other.plural !== plural ||
      other.namespaced !== namespaced
    )
      throw new InvalidDeclarationError(
        `${apiVersionOf(other)} ${other.kind} is no version of ${group} ${kind}: group, kind, plural and scope must be the same`,
      );
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(names.shortNames.length > 0 && { shortNames: [...names.shortNames] }),
        ...(names.categories.length > 0 && { categories: [...names.categories] }),
      },
      versions: [stored, ...others].map(({ crdVersion }, index) => ({ ...crdVersion, storage: index === 0 })),
    },
  };
}

function check(option: string, value: string, pattern: RegExp, expected: string): void {
  if (!pattern.test(value))
    throw new InvalidDeclarationError(`${option} must be ${expected}, but it is ${JSON.stringify(value)}`);
}

/** What an API server would refuse much later, with less said about where. */
function checkSchema(schema: JSONSchemaProps, path: string): void {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  for (const [name, property] of Object.entries(properties)) {
    if (property.default !== undefined && required.includes(name))
      throw new InvalidDeclarationError(`${path}.${name} has a default, so it must be optional`);
    if (property.default !== undefined) checkDefault(property, property.default, `${path}.${name}`);
    checkSchema(property, `${path}.${name}`);
  }
  if (items !== undefined && !Array.isArray(items)) {
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const missing = keys.find((key) => items.required?.includes(key) !== true);
    if (missing !== undefined)
      throw new InvalidDeclarationError(
        `${path} is told apart by ${missing}, which its items must always have`,
      );
    checkSchema(items, `${path}[]`);
  }
  if (typeof additionalProperties === 'object') checkSchema(additionalProperties, `${path}.*`);
}

function checkDefault(
  { enum: values, minimum, maximum }: JSONSchemaProps,
  value: JsonValue,
  path: string,
): void {
  const isKnown = values === undefined || values.includes(value);
  const isWithin =
    typeof value !== 'number' ||
    (value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY));
  if (!isKnown || !isWithin)
    throw new InvalidDeclarationError(
      `${path} has the default ${JSON.stringify(value)}, which its own rules refuse`,
    );
}
