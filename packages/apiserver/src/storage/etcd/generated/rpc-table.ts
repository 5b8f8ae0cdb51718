// Generated from go.etcd.io/etcd/api/v3 v3.6.8 by `npm run generate`. Do not edit.
import type { ProtocolTable } from '@windlass/grpc';

export const table = {
  package: 'etcdserverpb',
  messages: {
    CompactionRequest: '1 revision l|2 physical b',
    CompactionResponse: '1 header .ResponseHeader',
    Compare: '1 result #CompareCompareResult|2 target #CompareCompareTarget|3 key y|4 version l/targetUnion|5 createRevision l/targetUnion|6 modRevision l/targetUnion|7 value y/targetUnion|8 lease u/targetUnion|64 rangeEnd y',
    DeleteRangeRequest: '1 key y|2 rangeEnd y|3 prevKv b',
    DeleteRangeResponse: '1 header .ResponseHeader|2 deleted l|3 prevKvs [.KeyValue',
    DowngradeInfo: '1 enabled b|2 targetVersion s',
    Event: '1 type #EventEventType|2 kv .KeyValue|3 prevKv .KeyValue',
    KeyValue: '1 key y|2 createRevision l|3 modRevision l|4 version l|5 value y|6 lease u',
    LeaseGrantRequest: '1 TTL l|2 ID u',
    LeaseGrantResponse: '1 header .ResponseHeader|2 ID u|3 TTL l|4 error s',
    PutRequest: '1 key y|2 value y|3 lease u|4 prevKv b|5 ignoreValue b|6 ignoreLease b',
    PutResponse: '1 header .ResponseHeader|2 prevKv .KeyValue',
    RangeRequest: '1 key y|2 rangeEnd y|3 limit l|4 revision l|5 sortOrder #RangeRequestSortOrder|6 sortTarget #RangeRequestSortTarget|7 serializable b|8 keysOnly b|9 countOnly b|10 minModRevision l|11 maxModRevision l|12 minCreateRevision l|13 maxCreateRevision l',
    RangeResponse: '1 header .ResponseHeader|2 kvs [.KeyValue|3 more b|4 count l',
    RequestOp: '1 requestRange .RangeRequest/request|2 requestPut .PutRequest/request|3 requestDeleteRange .DeleteRangeRequest/request',
    ResponseHeader: '1 clusterId u|2 memberId u|3 revision l|4 raftTerm u',
    ResponseOp: '1 responseRange .RangeResponse/response|2 responsePut .PutResponse/response|3 responseDeleteRange .DeleteRangeResponse/response',
    StatusRequest: '',
    StatusResponse: '1 header .ResponseHeader|2 version s|3 dbSize l|4 leader u|5 raftIndex u|6 raftTerm u|7 raftAppliedIndex u|8 errors [s|9 dbSizeInUse l|10 isLearner b|11 storageVersion s|12 dbSizeQuota l|13 downgradeInfo .DowngradeInfo',
    TxnRequest: '1 compare [.Compare|2 success [.RequestOp|3 failure [.RequestOp',
    TxnResponse: '1 header .ResponseHeader|2 succeeded b|3 responses [.ResponseOp',
    WatchCancelRequest: '1 watchId l',
    WatchCreateRequest: '1 key y|2 rangeEnd y|3 startRevision l|4 progressNotify b|6 prevKv b|7 watchId l|8 fragment b',
    WatchProgressRequest: '',
    WatchRequest: '1 createRequest .WatchCreateRequest/requestUnion|2 cancelRequest .WatchCancelRequest/requestUnion|3 progressRequest .WatchProgressRequest/requestUnion',
    WatchResponse: '1 header .ResponseHeader|2 watchId l|3 created b|4 canceled b|5 compactRevision l|6 cancelReason s|7 fragment b|11 events [.Event',
  },
  enums: {
    CompareCompareResult: '0 EQUAL|1 GREATER|2 LESS|3 NOT_EQUAL',
    CompareCompareTarget: '0 VERSION|1 CREATE|2 MOD|3 VALUE|4 LEASE',
    EventEventType: '0 PUT|1 DELETE',
    RangeRequestSortOrder: '0 NONE|1 ASCEND|2 DESCEND',
    RangeRequestSortTarget: '0 KEY|1 VERSION|2 CREATE|3 MOD|4 VALUE',
  },
  services: {
    KV: {
      range: 'Range RangeRequest RangeResponse',
      txn: 'Txn TxnRequest TxnResponse',
      compact: 'Compact CompactionRequest CompactionResponse',
    },
    Lease: {
      leaseGrant: 'LeaseGrant LeaseGrantRequest LeaseGrantResponse',
    },
    Maintenance: {
      status: 'Status StatusRequest StatusResponse',
    },
  },
} as const satisfies ProtocolTable;
