// Generated from go.etcd.io/etcd/api/v3 v3.6.8 by `npm run generate`. Do not edit.
// The descriptions, here shortened, are of its authors, Apache License 2.0.

/** The enum `Compare.CompareResult` of `etcdserverpb`. */
export type CompareCompareResult =
  | 'EQUAL'
  | 'GREATER'
  | 'LESS'
  | 'NOT_EQUAL';

/** The enum `Compare.CompareTarget` of `etcdserverpb`. */
export type CompareCompareTarget =
  | 'VERSION'
  | 'CREATE'
  | 'MOD'
  | 'VALUE'
  | 'LEASE';

/** The enum `Event.EventType` of `etcdserverpb`. */
export type EventEventType =
  | 'PUT'
  | 'DELETE';

/** The enum `RangeRequest.SortOrder` of `etcdserverpb`. */
export type RangeRequestSortOrder =
  | 'NONE'
  | 'ASCEND'
  | 'DESCEND';

/** The enum `RangeRequest.SortTarget` of `etcdserverpb`. */
export type RangeRequestSortTarget =
  | 'KEY'
  | 'VERSION'
  | 'CREATE'
  | 'MOD'
  | 'VALUE';

/**
 * CompactionRequest compacts the key-value store up to a given revision. All superseded keys with a revision
 * less than the compaction revision will be removed.
 */
export interface CompactionRequest {
  /** revision is the key-value store revision for the compaction operation. */
  readonly revision: number;
  /**
   * physical is set so the RPC will wait until the compaction is physically applied to the local database
   * such that compacted entries are totally removed from the backend database.
   */
  readonly physical: boolean;
}

/** What `KV.Compact` answers. */
export interface CompactionResponse {
  readonly header?: ResponseHeader | undefined;
}

/** The message `Compare` of `etcdserverpb`. */
export interface Compare {
  /** result is logical comparison operation for this comparison. */
  readonly result: CompareCompareResult;
  /** target is the key-value field to inspect for the comparison. */
  readonly target: CompareCompareTarget;
  /** key is the subject key for the comparison operation. */
  readonly key: Uint8Array;
  /** version is the version of the given key */
  readonly version?: number | undefined;
  /** create_revision is the creation revision of the given key */
  readonly createRevision?: number | undefined;
  /** mod_revision is the last modified revision of the given key. */
  readonly modRevision?: number | undefined;
  /** value is the value of the given key, in bytes. */
  readonly value?: Uint8Array | undefined;
  /** lease is the lease id of the given key. */
  readonly lease?: string | undefined;
  /**
   * range_end compares the given target to all keys in the range [key, range_end). See RangeRequest for more
   * details on key ranges.
   */
  readonly rangeEnd: Uint8Array;
}

/** The message `DeleteRangeRequest` of `etcdserverpb`. */
export interface DeleteRangeRequest {
  /** key is the first key to delete in the range. */
  readonly key: Uint8Array;
  /**
   * range_end is the key following the last key to delete for the range [key, range_end). If range_end is not
   * given, the range is defined to contain only the key argument. If range_end is one bit larger than the
   * given key, then the range is all the keys with the prefix (the given key). If range_end is '\\0', the
   * range is all keys greater than or equal to the key argument.
   */
  readonly rangeEnd: Uint8Array;
  /**
   * If prev_kv is set, etcd gets the previous key-value pairs before deleting it. The previous key-value
   * pairs will be returned in the delete response.
   */
  readonly prevKv: boolean;
}

/** The message `DeleteRangeResponse` of `etcdserverpb`. */
export interface DeleteRangeResponse {
  readonly header?: ResponseHeader | undefined;
  /** deleted is the number of keys deleted by the delete range request. */
  readonly deleted: number;
  /** if prev_kv is set in the request, the previous key-value pairs will be returned. */
  readonly prevKvs: readonly KeyValue[];
}

/** The message `DowngradeInfo` of `etcdserverpb`. */
export interface DowngradeInfo {
  /** enabled indicates whether the cluster is enabled to downgrade. */
  readonly enabled: boolean;
  /** targetVersion is the target downgrade version. */
  readonly targetVersion: string;
}

/** The message `Event` of `etcdserverpb`. */
export interface Event {
  /**
   * type is the kind of event. If type is a PUT, it indicates new data has been stored to the key. If type is
   * a DELETE, it indicates the key was deleted.
   */
  readonly type: EventEventType;
  /**
   * kv holds the KeyValue for the event. A PUT event contains current kv pair. A PUT event with kv.Version=1
   * indicates the creation of a key. A DELETE/EXPIRE event contains the deleted key with its modification
   * revision set to the revision of deletion.
   */
  readonly kv?: KeyValue | undefined;
  /** prev_kv holds the key-value pair before the event happens. */
  readonly prevKv?: KeyValue | undefined;
}

/** The message `KeyValue` of `etcdserverpb`. */
export interface KeyValue {
  /** key is the key in bytes. An empty key is not allowed. */
  readonly key: Uint8Array;
  /** create_revision is the revision of last creation on this key. */
  readonly createRevision: number;
  /** mod_revision is the revision of last modification on this key. */
  readonly modRevision: number;
  /**
   * version is the version of the key. A deletion resets the version to zero and any modification of the key
   * increases its version.
   */
  readonly version: number;
  /** value is the value held by the key, in bytes. */
  readonly value: Uint8Array;
  /**
   * lease is the ID of the lease that attached to key. When the attached lease expires, the key will be
   * deleted. If lease is 0, then no lease is attached to the key.
   */
  readonly lease: string;
}

/** What `Lease.LeaseGrant` is asked. */
export interface LeaseGrantRequest {
  /** TTL is the advisory time-to-live in seconds. Expired lease will return -1. */
  readonly TTL: number;
  /** ID is the requested ID for the lease. If ID is set to 0, the lessor chooses an ID. */
  readonly ID: string;
}

/** What `Lease.LeaseGrant` answers. */
export interface LeaseGrantResponse {
  readonly header?: ResponseHeader | undefined;
  /** ID is the lease ID for the granted lease. */
  readonly ID: string;
  /** TTL is the server chosen lease time-to-live in seconds. */
  readonly TTL: number;
  readonly error: string;
}

/** The message `PutRequest` of `etcdserverpb`. */
export interface PutRequest {
  /** key is the key, in bytes, to put into the key-value store. */
  readonly key: Uint8Array;
  /** value is the value, in bytes, to associate with the key in the key-value store. */
  readonly value: Uint8Array;
  /**
   * lease is the lease ID to associate with the key in the key-value store. A lease value of 0 indicates no
   * lease.
   */
  readonly lease: string;
  /**
   * If prev_kv is set, etcd gets the previous key-value pair before changing it. The previous key-value pair
   * will be returned in the put response.
   */
  readonly prevKv: boolean;
  /**
   * If ignore_value is set, etcd updates the key using its current value. Returns an error if the key does
   * not exist.
   */
  readonly ignoreValue: boolean;
  /**
   * If ignore_lease is set, etcd updates the key using its current lease. Returns an error if the key does
   * not exist.
   */
  readonly ignoreLease: boolean;
}

/** The message `PutResponse` of `etcdserverpb`. */
export interface PutResponse {
  readonly header?: ResponseHeader | undefined;
  /** if prev_kv is set in the request, the previous key-value pair will be returned. */
  readonly prevKv?: KeyValue | undefined;
}

/** What `KV.Range` is asked. */
export interface RangeRequest {
  /** key is the first key for the range. If range_end is not given, the request only looks up key. */
  readonly key: Uint8Array;
  /**
   * range_end is the upper bound on the requested range [key, range_end). If range_end is '\\0', the range is
   * all keys \>= key. If range_end is key plus one (e.g., "aa"+1 == "ab", "a\\xff"+1 == "b"), then the range
   * request gets all keys prefixed with key. If both key and range_end are '\\0', then the range request
   * returns all keys.
   */
  readonly rangeEnd: Uint8Array;
  /**
   * limit is a limit on the number of keys returned for the request. When limit is set to 0, it is treated as
   * no limit.
   */
  readonly limit: number;
  /**
   * revision is the point-in-time of the key-value store to use for the range. If revision is less or equal
   * to zero, the range is over the newest key-value store. If the revision has been compacted, ErrCompacted
   * is returned as a response.
   */
  readonly revision: number;
  /** sort_order is the order for returned sorted results. */
  readonly sortOrder: RangeRequestSortOrder;
  /** sort_target is the key-value field to use for sorting. */
  readonly sortTarget: RangeRequestSortTarget;
  /**
   * serializable sets the range request to use serializable member-local reads. Range requests are
   * linearizable by default; linearizable requests have higher latency and lower throughput than serializable
   * requests but reflect the current consensus of the cluster. For better performance, in exchange for
   * possible stale reads, a serializable range request is served locally without needing to reach consensus
   * with other nodes in the cluster.
   */
  readonly serializable: boolean;
  /** keys_only when set returns only the keys and not the values. */
  readonly keysOnly: boolean;
  /** count_only when set returns only the count of the keys in the range. */
  readonly countOnly: boolean;
  /**
   * min_mod_revision is the lower bound for returned key mod revisions; all keys with lesser mod revisions
   * will be filtered away.
   */
  readonly minModRevision: number;
  /**
   * max_mod_revision is the upper bound for returned key mod revisions; all keys with greater mod revisions
   * will be filtered away.
   */
  readonly maxModRevision: number;
  /**
   * min_create_revision is the lower bound for returned key create revisions; all keys with lesser create
   * revisions will be filtered away.
   */
  readonly minCreateRevision: number;
  /**
   * max_create_revision is the upper bound for returned key create revisions; all keys with greater create
   * revisions will be filtered away.
   */
  readonly maxCreateRevision: number;
}

/** What `KV.Range` answers. */
export interface RangeResponse {
  readonly header?: ResponseHeader | undefined;
  /**
   * kvs is the list of key-value pairs matched by the range request. kvs is empty when count is requested.
   */
  readonly kvs: readonly KeyValue[];
  /** more indicates if there are more keys to return in the requested range. */
  readonly more: boolean;
  /**
   * count is set to the actual number of keys within the range when requested. Unlike Kvs, it is unaffected
   * by limits and filters (e.g., Min/Max, Create/Modify, Revisions) and reflects the full count within the
   * specified range.
   */
  readonly count: number;
}

/** The message `RequestOp` of `etcdserverpb`. */
export interface RequestOp {
  readonly requestRange?: RangeRequest | undefined;
  readonly requestPut?: PutRequest | undefined;
  readonly requestDeleteRange?: DeleteRangeRequest | undefined;
}

/** The message `ResponseHeader` of `etcdserverpb`. */
export interface ResponseHeader {
  /** cluster_id is the ID of the cluster which sent the response. */
  readonly clusterId: string;
  /** member_id is the ID of the member which sent the response. */
  readonly memberId: string;
  /**
   * revision is the key-value store revision when the request was applied, and it's unset (so 0) in case of
   * calls not interacting with key-value store. For watch progress responses, the header.revision indicates
   * progress. All future events received in this stream are guaranteed to have a higher revision number than
   * the header.revision number.
   */
  readonly revision: number;
  /** raft_term is the raft term when the request was applied. */
  readonly raftTerm: string;
}

/** The message `ResponseOp` of `etcdserverpb`. */
export interface ResponseOp {
  readonly responseRange?: RangeResponse | undefined;
  readonly responsePut?: PutResponse | undefined;
  readonly responseDeleteRange?: DeleteRangeResponse | undefined;
}

/** What `Maintenance.Status` is asked. */
export type StatusRequest = Readonly<Record<never, never>>;

/** What `Maintenance.Status` answers. */
export interface StatusResponse {
  readonly header?: ResponseHeader | undefined;
  /** version is the cluster protocol version used by the responding member. */
  readonly version: string;
  /** dbSize is the size of the backend database physically allocated, in bytes, of the responding member. */
  readonly dbSize: number;
  /** leader is the member ID which the responding member believes is the current leader. */
  readonly leader: string;
  /** raftIndex is the current raft committed index of the responding member. */
  readonly raftIndex: string;
  /** raftTerm is the current raft term of the responding member. */
  readonly raftTerm: string;
  /** raftAppliedIndex is the current raft applied index of the responding member. */
  readonly raftAppliedIndex: string;
  /** errors contains alarm/health information and status. */
  readonly errors: readonly string[];
  /** dbSizeInUse is the size of the backend database logically in use, in bytes, of the responding member. */
  readonly dbSizeInUse: number;
  /** isLearner indicates if the member is raft learner. */
  readonly isLearner: boolean;
  /**
   * storageVersion is the version of the db file. It might be updated with delay in relationship to the
   * target cluster version.
   */
  readonly storageVersion: string;
  /**
   * dbSizeQuota is the configured etcd storage quota in bytes (the value passed to etcd instance by flag
   * --quota-backend-bytes)
   */
  readonly dbSizeQuota: number;
  /** downgradeInfo indicates if there is downgrade process. */
  readonly downgradeInfo?: DowngradeInfo | undefined;
}

/**
 * From google paxosdb paper: Our implementation hinges around a powerful primitive which we call MultiOp. All
 * other database operations except for iteration are implemented as a single call to MultiOp. A MultiOp is
 * applied atomically and consists of three components:
 * 1. A list of tests called guard. Each test in guard checks a single entry in the database. It may check for
 * the absence or presence of a value, or compare with a given value. …
 */
export interface TxnRequest {
  /**
   * compare is a list of predicates representing a conjunction of terms. If the comparisons succeed, then the
   * success requests will be processed in order, and the response will contain their respective responses in
   * order. If the comparisons fail, then the failure requests will be processed in order, and the response
   * will contain their respective responses in order.
   */
  readonly compare: readonly Compare[];
  /** success is a list of requests which will be applied when compare evaluates to true. */
  readonly success: readonly RequestOp[];
  /** failure is a list of requests which will be applied when compare evaluates to false. */
  readonly failure: readonly RequestOp[];
}

/** What `KV.Txn` answers. */
export interface TxnResponse {
  readonly header?: ResponseHeader | undefined;
  /** succeeded is set to true if the compare evaluated to true or false otherwise. */
  readonly succeeded: boolean;
  /**
   * responses is a list of responses corresponding to the results from applying success if succeeded is true
   * or failure if succeeded is false.
   */
  readonly responses: readonly ResponseOp[];
}

/** The message `WatchCancelRequest` of `etcdserverpb`. */
export interface WatchCancelRequest {
  /** watch_id is the watcher id to cancel so that no more events are transmitted. */
  readonly watchId: number;
}

/** The message `WatchCreateRequest` of `etcdserverpb`. */
export interface WatchCreateRequest {
  /** key is the key to register for watching. */
  readonly key: Uint8Array;
  /**
   * range_end is the end of the range [key, range_end) to watch. If range_end is not given, only the key
   * argument is watched. If range_end is equal to '\\0', all keys greater than or equal to the key argument
   * are watched. If the range_end is one bit larger than the given key, then all keys with the prefix (the
   * given key) will be watched.
   */
  readonly rangeEnd: Uint8Array;
  /** start_revision is an optional revision to watch from (inclusive). No start_revision is "now". */
  readonly startRevision: number;
  /**
   * progress_notify is set so that the etcd server will periodically send a WatchResponse with no events to
   * the new watcher if there are no recent events. It is useful when clients wish to recover a disconnected
   * watcher starting from a recent known revision. The etcd server may decide how often it will send
   * notifications based on current load.
   */
  readonly progressNotify: boolean;
  /**
   * If prev_kv is set, created watcher gets the previous KV before the event happens. If the previous KV is
   * already compacted, nothing will be returned.
   */
  readonly prevKv: boolean;
  /**
   * If watch_id is provided and non-zero, it will be assigned to this watcher. Since creating a watcher in
   * etcd is not a synchronous operation, this can be used ensure that ordering is correct when creating
   * multiple watchers on the same stream. Creating a watcher with an ID already in use on the stream will
   * cause an error to be returned.
   */
  readonly watchId: number;
  /** fragment enables splitting large revisions into multiple watch responses. */
  readonly fragment: boolean;
}

/** Requests the a watch stream progress status be sent in the watch response stream as soon as possible. */
export type WatchProgressRequest = Readonly<Record<never, never>>;

/** The message `WatchRequest` of `etcdserverpb`. */
export interface WatchRequest {
  readonly createRequest?: WatchCreateRequest | undefined;
  readonly cancelRequest?: WatchCancelRequest | undefined;
  readonly progressRequest?: WatchProgressRequest | undefined;
}

/** The message `WatchResponse` of `etcdserverpb`. */
export interface WatchResponse {
  readonly header?: ResponseHeader | undefined;
  /** watch_id is the ID of the watcher that corresponds to the response. */
  readonly watchId: number;
  /**
   * created is set to true if the response is for a create watch request. The client should record the
   * watch_id and expect to receive events for the created watcher from the same stream. All events sent to
   * the created watcher will attach with the same watch_id.
   */
  readonly created: boolean;
  /**
   * canceled is set to true if the response is for a cancel watch request or if the start_revision has
   * already been compacted. No further events will be sent to the canceled watcher.
   */
  readonly canceled: boolean;
  /**
   * compact_revision is set to the minimum index if a watcher tries to watch at a compacted index.
   *
   * This happens when creating a watcher at a compacted revision or the watcher cannot catch up with the
   * progress of the key-value store.
   *
   * The client should treat the watcher as canceled and should not try to create any watcher with the same
   * start_revision again.
   */
  readonly compactRevision: number;
  /** cancel_reason indicates the reason for canceling the watcher. */
  readonly cancelReason: string;
  /** framgment is true if large watch response was split over multiple responses. */
  readonly fragment: boolean;
  readonly events: readonly Event[];
}

/** The methods of the service `KV`. */
export interface KVMethods {
  range: { request: RangeRequest; response: RangeResponse };
  txn: { request: TxnRequest; response: TxnResponse };
  compact: { request: CompactionRequest; response: CompactionResponse };
}

/** The methods of the service `Lease`. */
export interface LeaseMethods {
  leaseGrant: { request: LeaseGrantRequest; response: LeaseGrantResponse };
}

/** The methods of the service `Maintenance`. */
export interface MaintenanceMethods {
  status: { request: StatusRequest; response: StatusResponse };
}
