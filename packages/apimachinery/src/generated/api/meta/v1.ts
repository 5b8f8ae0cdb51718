// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { JsonValue, ListMeta } from '../../../object.ts';

export type { ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../../object.ts';

/** APIGroup contains the name, the supported versions, and the preferred version of a group. */
export interface APIGroup {
  apiVersion?: 'v1';
  kind?: 'APIGroup';
  /** name is the name of the group. */
  name: string;
  /** preferredVersion is the version preferred by the API server, which probably is the storage version. */
  preferredVersion?: GroupVersionForDiscovery;
  /**
   * a map of client CIDR to server address that is serving this group. This is to help clients reach servers
   * in the most network-efficient way possible. Clients can use the appropriate server address as per the
   * CIDR that they match. In case of multiple matches, clients should use the longest matching CIDR. The
   * server returns only those CIDRs that it thinks that the client can match. For example: the master will
   * return an internal IP CIDR only, if the client reaches the server using an internal IP. …
   */
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
  /** versions are the versions supported in this group. */
  versions: GroupVersionForDiscovery[];
}

/** APIGroupList is a list of APIGroup, to allow clients to discover the API at /apis. */
export interface APIGroupList {
  apiVersion?: 'v1';
  kind?: 'APIGroupList';
  /** groups is a list of APIGroup. */
  groups: APIGroup[];
}

/** APIResource specifies the name of a resource and whether it is namespaced. */
export interface APIResource {
  /** categories is a list of the grouped resources this resource belongs to (e.g. 'all') */
  categories?: string[];
  /**
   * group is the preferred group of the resource. Empty implies the group of the containing resource list.
   * For subresources, this may have a different value, for example: Scale".
   */
  group?: string;
  /** kind is the kind for the resource (e.g. 'Foo' is the kind for a resource 'foo') */
  kind: string;
  /** name is the plural name of the resource. */
  name: string;
  /** namespaced indicates if a resource is namespaced or not. */
  namespaced: boolean;
  /** shortNames is a list of suggested short names of the resource. */
  shortNames?: string[];
  /**
   * singularName is the singular name of the resource. This allows clients to handle plural and singular
   * opaquely. The singularName is more correct for reporting status on a single item and both singular and
   * plural are allowed from the kubectl CLI interface.
   */
  singularName: string;
  /**
   * The hash value of the storage version, the version this resource is converted to when written to the data
   * store. Value must be treated as opaque by clients. Only equality comparison on the value is valid. This
   * is an alpha feature and may change or be removed in the future. The field is populated by the apiserver
   * only if the StorageVersionHash feature gate is enabled. This field will remain optional even if it
   * graduates.
   */
  storageVersionHash?: string;
  /**
   * verbs is a list of supported kube verbs (this includes get, list, watch, create, update, patch, delete,
   * deletecollection, and proxy)
   */
  verbs: string[];
  /**
   * version is the preferred version of the resource. Empty implies the version of the containing resource
   * list For subresources, this may have a different value, for example: v1 (while inside a v1beta1 version
   * of the core resource's group)".
   */
  version?: string;
}

/**
 * APIResourceList is a list of APIResource, it is used to expose the name of the resources supported in a
 * specific group and version, and if the resource is namespaced.
 */
export interface APIResourceList {
  apiVersion?: 'v1';
  kind?: 'APIResourceList';
  /** groupVersion is the group and version this APIResourceList is for. */
  groupVersion: string;
  /** resources contains the name of the resources and if they are namespaced. */
  resources: APIResource[];
}

/**
 * APIVersions lists the versions that are available, to allow clients to discover the API at /api, which is
 * the root path of the legacy v1 API.
 */
export interface APIVersions {
  apiVersion?: 'v1';
  kind?: 'APIVersions';
  /**
   * a map of client CIDR to server address that is serving this group. This is to help clients reach servers
   * in the most network-efficient way possible. Clients can use the appropriate server address as per the
   * CIDR that they match. In case of multiple matches, clients should use the longest matching CIDR. The
   * server returns only those CIDRs that it thinks that the client can match. For example: the master will
   * return an internal IP CIDR only, if the client reaches the server using an internal IP. …
   */
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
  /** versions are the api versions that are available. */
  versions: string[];
}

/** Condition contains details for one aspect of the current state of this API Resource. */
export interface Condition {
  /**
   * lastTransitionTime is the last time the condition transitioned from one status to another. This should be
   * when the underlying condition changed. If that is not known, then using the time when the API field
   * changed is acceptable.
   */
  lastTransitionTime: Time;
  /**
   * message is a human readable message indicating details about the transition. This may be an empty string.
   */
  message: string;
  /**
   * observedGeneration represents the .metadata.generation that the condition was set based upon. For
   * instance, if .metadata.generation is currently 12, but the .status.conditions[x].observedGeneration is 9,
   * the condition is out of date with respect to the current state of the instance.
   */
  observedGeneration?: number;
  /**
   * reason contains a programmatic identifier indicating the reason for the condition's last transition.
   * Producers of specific condition types may define expected values and meanings for this field, and whether
   * the values are considered a guaranteed API. The value should be a CamelCase string. This field may not be
   * empty.
   */
  reason: string;
  /** status of the condition, one of True, False, Unknown. */
  status: string;
  /** type of condition in CamelCase or in foo.example.com/CamelCase. */
  type: string;
}

/** DeleteOptions may be provided when deleting an API object. */
export interface DeleteOptions {
  /**
   * APIVersion defines the versioned schema of this representation of an object. Servers should convert
   * recognized schemas to the latest internal value, and may reject unrecognized values. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  apiVersion?: string;
  /**
   * When present, indicates that modifications should not be persisted. An invalid or unrecognized dryRun
   * directive will result in an error response and no further processing of the request. Valid values are: -
   * All: all dry run stages will be processed
   */
  dryRun?: string[];
  /**
   * The duration in seconds before the object should be deleted. Value must be non-negative integer. The
   * value zero indicates delete immediately. If this value is nil, the default grace period for the specified
   * type will be used. Defaults to a per object value if not specified. zero means delete immediately.
   */
  gracePeriodSeconds?: number;
  /**
   * if set to true, it will trigger an unsafe deletion of the resource in case the normal deletion flow fails
   * with a corrupt object error. A resource is considered corrupt if it can not be retrieved from the
   * underlying storage successfully because of a) its data can not be transformed e.g. decryption failure, or
   * b) it fails to decode into an object. NOTE: unsafe deletion ignores finalizer constraints, skips
   * precondition checks, and removes the object from the storage. …
   */
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  /**
   * Kind is a string value representing the REST resource this object represents. Servers may infer this from
   * the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /**
   * @deprecated please use the PropagationPolicy, this field will be deprecated in 1.7. Should the dependent
   * objects be orphaned. If true/false, the "orphan" finalizer will be added to/removed from the object's
   * finalizers list. Either this field or PropagationPolicy may be set, but not both.
   */
  orphanDependents?: boolean;
  /**
   * Must be fulfilled before a deletion is carried out. If not possible, a 409 Conflict status will be
   * returned.
   */
  preconditions?: Preconditions;
  /**
   * Whether and how garbage collection will be performed. Either this field or OrphanDependents may be set,
   * but not both. The default policy is decided by the existing finalizer set in the metadata.finalizers and
   * the resource-specific default policy. Acceptable values are: 'Orphan' - orphan the dependents;
   * 'Background' - allow the garbage collector to delete the dependents in the background; 'Foreground' - a
   * cascading policy that deletes all dependents in the foreground.
   */
  propagationPolicy?: string;
}

/**
 * FieldSelectorRequirement is a selector that contains values, a key, and an operator that relates the key
 * and values.
 */
export interface FieldSelectorRequirement {
  /** key is the field selector key that the requirement applies to. */
  key: string;
  /**
   * operator represents a key's relationship to a set of values. Valid operators are In, NotIn, Exists,
   * DoesNotExist. The list of operators may grow in the future.
   */
  operator: string;
  /**
   * values is an array of string values. If the operator is In or NotIn, the values array must be non-empty.
   * If the operator is Exists or DoesNotExist, the values array must be empty.
   */
  values?: string[];
}

/** FieldsV1 stores a set of fields in a data structure like a Trie, in JSON format. … */
export type FieldsV1 = { [key: string]: JsonValue };

/**
 * GroupResource specifies a Group and a Resource, but does not force a version. This is useful for
 * identifying concepts during lookup stages without having partially valid types
 */
export interface GroupResource {
  group: string;
  resource: string;
}

/**
 * GroupVersion contains the "group/version" and "version" string of a version. It is made a struct to keep
 * extensibility.
 */
export interface GroupVersionForDiscovery {
  /** groupVersion specifies the API group and version in the form "group/version" */
  groupVersion: string;
  /**
   * version specifies the version in the form of "version". This is to save the clients the trouble of
   * splitting the GroupVersion.
   */
  version: string;
}

/** Info contains versioning information. how we'll want to distribute that information. */
export interface Info {
  buildDate: string;
  compiler: string;
  /** EmulationMajor is the major version of the emulation version */
  emulationMajor?: string;
  /** EmulationMinor is the minor version of the emulation version */
  emulationMinor?: string;
  gitCommit: string;
  gitTreeState: string;
  gitVersion: string;
  goVersion: string;
  /** Major is the major version of the binary version */
  major: string;
  /** MinCompatibilityMajor is the major version of the minimum compatibility version */
  minCompatibilityMajor?: string;
  /** MinCompatibilityMinor is the minor version of the minimum compatibility version */
  minCompatibilityMinor?: string;
  /** Minor is the minor version of the binary version */
  minor: string;
  platform: string;
}

/**
 * IntOrString is a type that can hold an int32 or a string. When used in JSON or YAML marshalling and
 * unmarshalling, it produces or consumes the inner type. This allows you to have, for example, a JSON field
 * that can accept a name or number.
 */
export type IntOrString = number | string;

/**
 * A label selector is a label query over a set of resources. The result of matchLabels and matchExpressions
 * are ANDed. An empty label selector matches all objects. A null label selector matches no objects.
 */
export interface LabelSelector {
  /** matchExpressions is a list of label selector requirements. The requirements are ANDed. */
  matchExpressions?: LabelSelectorRequirement[];
  /**
   * matchLabels is a map of \{key,value\} pairs. A single \{key,value\} in the matchLabels map is equivalent
   * to an element of matchExpressions, whose key field is "key", the operator is "In", and the values array
   * contains only "value". The requirements are ANDed.
   */
  matchLabels?: { [key: string]: string };
}

/**
 * A label selector requirement is a selector that contains values, a key, and an operator that relates the
 * key and values.
 */
export interface LabelSelectorRequirement {
  /** key is the label key that the selector applies to. */
  key: string;
  /**
   * operator represents a key's relationship to a set of values. Valid operators are In, NotIn, Exists and
   * DoesNotExist.
   */
  operator: string;
  /**
   * values is an array of string values. If the operator is In or NotIn, the values array must be non-empty.
   * If the operator is Exists or DoesNotExist, the values array must be empty. This array is replaced during
   * a strategic merge patch.
   */
  values?: string[];
}

/** MicroTime is version of Time with microsecond level precision. */
export type MicroTime = string;

/** Patch is provided to give a concrete name and type to the Kubernetes PATCH request body. */
export type Patch = JsonValue;

/** Preconditions must be fulfilled before an operation (update, delete, etc.) is carried out. */
export interface Preconditions {
  /** Specifies the target ResourceVersion */
  resourceVersion?: string;
  /** Specifies the target UID. */
  uid?: string;
}

/**
 * Quantity is a fixed-point representation of a number. It provides convenient marshaling/unmarshaling in
 * JSON and YAML, in addition to String() and AsInt64() accessors.
 *
 * The serialization format is: …
 */
export type Quantity = string;

/**
 * RawExtension is used to hold extensions in external versions.
 *
 * To use this, make a field which has RawExtension as its type in your external, versioned struct, and Object
 * in your internal struct. You also need to register your various plugin types.
 *
 * // Internal package:
 *
 * ```
 *   type MyAPIObject struct {
 *     runtime.TypeMeta `json:",inline"`
 *     MyPlugin runtime.Object `json:"myPlugin"`
 *   }
 * ```
 *
 * ```
 *   type PluginA struct {
 *     AOption string `json:"aOption"`
 *   }
 * ```
 *
 * // External package: …
 */
export type RawExtension = JsonValue;

/**
 * ServerAddressByClientCIDR helps the client to determine the server address that they should use, depending
 * on the clientCIDR that they match.
 */
export interface ServerAddressByClientCIDR {
  /** The CIDR with which clients can match their IP to figure out the server address that they should use. */
  clientCIDR: string;
  /**
   * Address of this server, suitable for a client that matches the above CIDR. This can be a hostname,
   * hostname:port, IP or IP:port.
   */
  serverAddress: string;
}

/**
 * ShardInfo describes the shard selector that was applied to produce a list response. Its presence on a list
 * response indicates the list is a filtered subset.
 */
export interface ShardInfo {
  /**
   * selector is the shard selector string from the request, echoed back so clients can verify which shard
   * they received and merge responses from multiple shards.
   */
  selector: string;
}

/** Status is a return value for calls that don't return other objects. */
export interface Status {
  apiVersion?: 'v1';
  kind?: 'Status';
  /** Suggested HTTP return code for this status, 0 if not set. */
  code?: number;
  /**
   * Extended data associated with the reason. Each reason may define its own extended details. This field is
   * optional and the data returned is not guaranteed to conform to any schema except that defined by the
   * reason type.
   */
  details?: StatusDetails;
  /** A human-readable description of the status of this operation. */
  message?: string;
  /**
   * Standard list metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  metadata?: ListMeta;
  /**
   * A machine-readable description of why this operation is in the "Failure" status. If this value is empty
   * there is no information available. A Reason clarifies an HTTP status code but does not override it.
   */
  reason?: string;
  /**
   * Status of the operation. One of: "Success" or "Failure". More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status
   */
  status?: string;
}

/**
 * StatusCause provides more information about an api.Status failure, including cases when multiple errors are
 * encountered.
 */
export interface StatusCause {
  /**
   * The field of the resource that has caused this error, as named by its JSON serialization. May include dot
   * and postfix notation for nested attributes. Arrays are zero-indexed. Fields may appear more than once in
   * an array of causes due to fields having multiple errors. Optional.
   *
   * Examples:
   * "name" - the field "name" on the current resource
   * "items[0].name" - the field "name" on the first array entry in "items"
   */
  field?: string;
  /**
   * A human-readable description of the cause of the error. This field may be presented as-is to a reader.
   */
  message?: string;
  /**
   * A machine-readable description of the cause of the error. If this value is empty there is no information
   * available.
   */
  reason?: string;
}

/**
 * StatusDetails is a set of additional properties that MAY be set by the server to provide additional
 * information about a response. The Reason field of a Status object defines what attributes will be set.
 * Clients must ignore fields that do not match the defined type of each attribute, and should assume that any
 * attribute may be empty, invalid, or under defined.
 */
export interface StatusDetails {
  /**
   * The Causes array includes more details associated with the StatusReason failure. Not all StatusReasons
   * may provide detailed causes.
   */
  causes?: StatusCause[];
  /** The group attribute of the resource associated with the status StatusReason. */
  group?: string;
  /**
   * The kind attribute of the resource associated with the status StatusReason. On some operations may differ
   * from the requested resource Kind. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  kind?: string;
  /**
   * The name attribute of the resource associated with the status StatusReason (when there is a single name
   * which can be described).
   */
  name?: string;
  /**
   * If specified, the time in seconds before the operation should be retried. Some errors may indicate the
   * client must take an alternate action - for those errors this field may indicate how long to wait before
   * taking the alternate action.
   */
  retryAfterSeconds?: number;
  /**
   * UID of the resource. (when there is a single resource which can be described). More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/names#uids
   */
  uid?: string;
}

/**
 * Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON. Wrappers are
 * provided for many of the factory methods that the time package offers.
 */
export type Time = string;

/** Event represents a single event to a watched resource. */
export interface WatchEvent {
  /**
   * Object is:
   * * If Type is Added or Modified: the new state of the object.
   * * If Type is Deleted: the state of the object immediately before deletion.
   * * If Type is Error: *Status is recommended; other types may make sense
   * depending on context.
   */
  object: RawExtension;
  type: string;
}
