import type { Schema, SchemaSource } from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';
import type { ConnectForm } from './connect.ts';
import type { Draft, Stored, Strategy } from './strategy.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** One column of a table, as `kubectl get` shows it. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown; others only in the wide form. */
  readonly priority: number;
}

export interface TablePrinter<S = Stored> {
  readonly columns: readonly TableColumn[];
  /** One cell a column. `now` is wall time in milliseconds. */
  readonly cells: (object: S, now: number) => (string | number | bigint | boolean | null)[];
}

/** What can be read and written under a resource's name besides the object itself. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** What discovery says it takes and answers. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /**
   * `status` writes the status part only. `scale` speaks autoscaling/v1 Scale about the paths below.
   * `part` reads the object, and writes what the strategy's part of that name lets through.
   * `custom` is whatever its handler does. `connect` hands the request on to a node or a pod.
   */
  readonly form:
    | { readonly type: 'status' }
    | { readonly type: 'part' }
    | {
        readonly type: 'scale';
        readonly replicasPath: string;
        readonly statusReplicasPath: string;
        readonly selectorPath?: string;
      }
    | { readonly type: 'custom'; readonly handle: SubresourceHandler }
    | ConnectForm;
}

export interface SubresourceRequest {
  readonly verb: Verb;
  readonly namespace: string;
  readonly name: string;
  readonly body: Draft | undefined;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly context: RequestContext;
}

/** Answers with the HTTP status and the object; throws a StatusError. */
export type SubresourceHandler = (
  request: SubresourceRequest,
) => Promise<{ readonly status: number; readonly object: unknown }>;

/** What came of reading a body: the object in the kind's own form, and what had to be left out. */
export interface Decoded {
  readonly draft: Draft;
  /** `unknown field "spec.foo"`, `duplicate field "spec.bar"`: errors when strict, warnings otherwise. */
  readonly problems: readonly string[];
}

/** The custom resource definition that a resource is made of: whoever has it can make the same resource. */
export interface DefinitionOrigin {
  readonly object: Stored;
  readonly isTerminating: boolean;
  /** Whether a webhook converts objects from version to version. */
  readonly hasWebhook: boolean;
}

/** Makes objects for whoever reads them. */
export interface ComputedReader {
  /** @throws StatusError 404 */
  get(namespace: string, name: string): Promise<Stored>;
  /** All in the namespace; those of all namespaces when it is empty. */
  list(namespace: string): Promise<readonly Stored[]>;
}

/** One resource in one version, as served: built in or defined by a custom resource definition. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly isCustom: boolean;
  /** What everybody is warned of who asks for it. Absent where it is not deprecated. */
  readonly deprecation?: string;
  /** Names the form in which it is stored. Absent where nothing is stored. */
  readonly storageVersionHash?: string;
  /** Only custom resources have one. */
  readonly madeOf?: DefinitionOrigin;
  readonly verbs: readonly Verb[];
  readonly subresources: ReadonlyMap<string, SubresourceDefinition>;
  /** Nothing is stored: create answers at once (reviews). */
  readonly review?: (draft: Draft, context: RequestContext) => Promise<object>;
  /** Nothing is stored: objects are made when they are read. */
  readonly computed?: ComputedReader;

  /**
   * The kind's own form of a JSON value that claims to be one: unknown fields and nulls left out, values
   * canonical. Does not share anything with `body`, unless some of its fields are those of `known`, an object
   * that was stored: these may be taken as they are. Throws a StatusError (400) when a value has the wrong
   * type.
   */
  readonly decode: (
    body: Readonly<Record<string, unknown>>,
    known?: Readonly<Record<string, unknown>>,
  ) => Decoded;
  readonly schema: Schema;
  readonly schemas: SchemaSource;
  readonly strategy: Strategy;
  readonly printer: TablePrinter;
  /** What field selectors may ask for besides metadata.name and metadata.namespace. */
  readonly selectableFields: ReadonlyMap<string, (object: Stored) => string>;

  /** Versions of one resource share what is stored. All are stored in the storage version's form. */
  readonly storage: {
    readonly group: string;
    readonly plural: string;
    readonly version: string;
    /** From the stored form to this version's, and back. Absent when only `apiVersion` differs. */
    readonly convertFromStorage?: (object: Stored) => Promise<Stored> | Stored;
    readonly convertToStorage?: (object: Draft) => Promise<Draft> | Draft;
  };
}

/** Where the resource's objects begin in the store. */
export function storagePrefix(definition: Pick<ResourceDefinition, 'storage'>): string {
  return `/${definition.storage.group}/${definition.storage.plural}/`;
}

export function storageKey(
  definition: Pick<ResourceDefinition, 'storage' | 'namespaced'>,
  namespace: string,
  name: string,
): string {
  const prefix = storagePrefix(definition);
  return definition.namespaced ? `${prefix}${namespace}/${name}` : `${prefix}${name}`;
}
