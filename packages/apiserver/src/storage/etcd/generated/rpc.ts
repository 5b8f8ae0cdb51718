// Generated from go.etcd.io/etcd/api/v3 v3.6.8 by `npm run generate`. Do not edit.

export type CompareCompareResult =
  | 'EQUAL'
  | 'GREATER'
  | 'LESS'
  | 'NOT_EQUAL';

export type CompareCompareTarget =
  | 'VERSION'
  | 'CREATE'
  | 'MOD'
  | 'VALUE'
  | 'LEASE';

export type EventEventType =
  | 'PUT'
  | 'DELETE';

export type RangeRequestSortOrder =
  | 'NONE'
  | 'ASCEND'
  | 'DESCEND';

export type RangeRequestSortTarget =
  | 'KEY'
  | 'VERSION'
  | 'CREATE'
  | 'MOD'
  | 'VALUE';

export interface CompactionRequest {
  readonly revision: number;
  readonly physical: boolean;
}

export interface CompactionResponse {
  readonly header?: ResponseHeader | undefined;
}

export interface Compare {
  readonly result: CompareCompareResult;
  readonly target: CompareCompareTarget;
  readonly key: Uint8Array;
  readonly version?: number | undefined;
  readonly createRevision?: number | undefined;
  readonly modRevision?: number | undefined;
  readonly value?: Uint8Array | undefined;
  readonly lease?: string | undefined;
  readonly rangeEnd: Uint8Array;
}

export interface DeleteRangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly prevKv: boolean;
}

export interface DeleteRangeResponse {
  readonly header?: ResponseHeader | undefined;
  readonly deleted: number;
  readonly prevKvs: readonly KeyValue[];
}

export interface DowngradeInfo {
  readonly enabled: boolean;
  readonly targetVersion: string;
}

export interface Event {
  readonly type: EventEventType;
  readonly kv?: KeyValue | undefined;
  readonly prevKv?: KeyValue | undefined;
}

export interface KeyValue {
  readonly key: Uint8Array;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly value: Uint8Array;
  readonly lease: string;
}

export interface LeaseGrantRequest {
  readonly TTL: number;
  readonly ID: string;
}

export interface LeaseGrantResponse {
  readonly header?: ResponseHeader | undefined;
  readonly ID: string;
  readonly TTL: number;
  readonly error: string;
}

export interface PutRequest {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly lease: string;
  readonly prevKv: boolean;
  readonly ignoreValue: boolean;
  readonly ignoreLease: boolean;
}

export interface PutResponse {
  readonly header?: ResponseHeader | undefined;
  readonly prevKv?: KeyValue | undefined;
}

export interface RangeRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly limit: number;
  readonly revision: number;
  readonly sortOrder: RangeRequestSortOrder;
  readonly sortTarget: RangeRequestSortTarget;
  readonly serializable: boolean;
  readonly keysOnly: boolean;
  readonly countOnly: boolean;
  readonly minModRevision: number;
  readonly maxModRevision: number;
  readonly minCreateRevision: number;
  readonly maxCreateRevision: number;
}

export interface RangeResponse {
  readonly header?: ResponseHeader | undefined;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

export interface RequestOp {
  readonly requestRange?: RangeRequest | undefined;
  readonly requestPut?: PutRequest | undefined;
  readonly requestDeleteRange?: DeleteRangeRequest | undefined;
}

export interface ResponseHeader {
  readonly clusterId: string;
  readonly memberId: string;
  readonly revision: number;
  readonly raftTerm: string;
}

export interface ResponseOp {
  readonly responseRange?: RangeResponse | undefined;
  readonly responsePut?: PutResponse | undefined;
  readonly responseDeleteRange?: DeleteRangeResponse | undefined;
}

export type StatusRequest = Readonly<Record<never, never>>;

export interface StatusResponse {
  readonly header?: ResponseHeader | undefined;
  readonly version: string;
  readonly dbSize: number;
  readonly leader: string;
  readonly raftIndex: string;
  readonly raftTerm: string;
  readonly raftAppliedIndex: string;
  readonly errors: readonly string[];
  readonly dbSizeInUse: number;
  readonly isLearner: boolean;
  readonly storageVersion: string;
  readonly dbSizeQuota: number;
  readonly downgradeInfo?: DowngradeInfo | undefined;
}

export interface TxnRequest {
  readonly compare: readonly Compare[];
  readonly success: readonly RequestOp[];
  readonly failure: readonly RequestOp[];
}

export interface TxnResponse {
  readonly header?: ResponseHeader | undefined;
  readonly succeeded: boolean;
  readonly responses: readonly ResponseOp[];
}

export interface WatchCancelRequest {
  readonly watchId: number;
}

export interface WatchCreateRequest {
  readonly key: Uint8Array;
  readonly rangeEnd: Uint8Array;
  readonly startRevision: number;
  readonly progressNotify: boolean;
  readonly prevKv: boolean;
  readonly watchId: number;
  readonly fragment: boolean;
}

export type WatchProgressRequest = Readonly<Record<never, never>>;

export interface WatchRequest {
  readonly createRequest?: WatchCreateRequest | undefined;
  readonly cancelRequest?: WatchCancelRequest | undefined;
  readonly progressRequest?: WatchProgressRequest | undefined;
}

export interface WatchResponse {
  readonly header?: ResponseHeader | undefined;
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  readonly fragment: boolean;
  readonly events: readonly Event[];
}

export interface KVMethods {
  range: { request: RangeRequest; response: RangeResponse };
  txn: { request: TxnRequest; response: TxnResponse };
  compact: { request: CompactionRequest; response: CompactionResponse };
}

export interface LeaseMethods {
  leaseGrant: { request: LeaseGrantRequest; response: LeaseGrantResponse };
}

export interface MaintenanceMethods {
  status: { request: StatusRequest; response: StatusResponse };
}
