// The shape that every Kubernetes object has. Objects are plain JSON as the API serves them: no
// classes, no Date, and fields that we do not know are kept.

/** Any value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** Names an owner of an object. The object is deleted when all of its owners are gone. */
export interface OwnerReference {
  /** Of the owner. */
  apiVersion: string;
  /** Of the owner. */
  kind: string;
  /** Of the owner. */
  name: string;
  /** Of the owner: another object of the same name is not the owner. */
  uid: string;
  /** Whether the owner manages the object. At most one of the owners does. */
  controller?: boolean;
  /** Whether an owner that is deleted in the foreground waits for the object to go. */
  blockOwnerDeletion?: boolean;
}

/** The fields that one manager owns, as server-side apply records them. */
export interface ManagedFieldsEntry {
  /** Who owns the fields: the `fieldManager` of the requests. */
  manager?: string;
  /** `Apply` or `Update`. */
  operation?: string;
  /** In whose terms the fields are named. */
  apiVersion?: string;
  /** When the manager last added, changed or left one of them. */
  time?: string;
  /** How `fieldsV1` is written: always `FieldsV1`. */
  fieldsType?: string;
  /** The fields, as a tree of keys such as `f:spec` and `k:{"name":"web"}`. */
  fieldsV1?: { [key: string]: JsonValue };
  /** The subresource that was written; empty for the object itself. */
  subresource?: string;
}

/** What every stored object has: its name, and what clients and the server record about it. */
export interface ObjectMeta {
  /** Unique among the objects of its kind in the namespace. It cannot change. */
  name?: string;
  /** What a generated name begins with, for an object that is created without a name. */
  generateName?: string;
  /** Empty for the objects of the cluster. It cannot change. */
  namespace?: string;
  /** @deprecated Servers leave it empty. */
  selfLink?: string;
  /** Unique in time and space: another object of the same name has another. Set by the server. */
  uid?: string;
  /** Changes with every write. An update that carries one fails where the object has changed since. */
  resourceVersion?: string;
  /** Counts the changes of what is wanted; a write of the status does not change it. Set by the server. */
  generation?: number;
  /** When it was created, in RFC 3339. Set by the server. */
  creationTimestamp?: string;
  /** When it will be gone, or could be as soon as no finalizer holds it. Set by the server at a deletion. */
  deletionTimestamp?: string;
  /** How long a graceful deletion may take. Set together with `deletionTimestamp`. */
  deletionGracePeriodSeconds?: number;
  /** Short values that selectors find the object by. */
  labels?: { [key: string]: string };
  /** Values of any form that nothing selects by. */
  annotations?: { [key: string]: string };
  /** The objects that it depends on. It is deleted when all of them are gone. */
  ownerReferences?: OwnerReference[];
  /** What must be done before the object is removed. Whoever has done it takes the entry away. */
  finalizers?: string[];
  /** Who owns which fields. Kept by the server, for server-side apply. */
  managedFields?: ManagedFieldsEntry[];
}

/** What a list says about itself: where to watch from, and how to read on. */
export interface ListMeta {
  /** @deprecated Servers leave it empty. */
  selfLink?: string;
  /** Where a watch goes on that misses nothing after this list. */
  resourceVersion?: string;
  /** Asks for the next page; absent or empty on the last one. */
  continue?: string;
  /** How many items follow this page, where the server knows. */
  remainingItemCount?: number;
  /** Says that these are the objects of a shard and not all, and of which; from servers that know shards. */
  shardInfo?: { selector: string };
}

/** What every built-in and every custom object has. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** What a list answers. */
export interface KubeList<T> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: T[];
}

/** What comes out of a cache is shared by all who read it, so it is typed as nobody's to change. */
export type DeepReadonly<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> };
