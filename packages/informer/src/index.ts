export type { IndexFunction } from './cache/index-table.ts';
export type { Indexers, ReadIndexer } from './cache/indexer.ts';
export { type Lister, type ListerOptions, NAMESPACE_INDEX } from './cache/lister.ts';
export type { PreparationOptions } from './cache/object-preparation.ts';
export * from './errors.ts';
export { filteringHandler } from './handlers/filtering-handler.ts';
export type { HandlerOptions } from './handlers/handler-options.ts';
export type { AddInfo, DeleteInfo, EventHandler } from './handlers/notification.ts';
export type { Registration } from './handlers/registration.ts';
export { type ClientListWatchOptions, clientListWatch } from './list-watch/client-list-watch.ts';
export type { Failure, FailureKind } from './list-watch/failure.ts';
export type { ListPage, ListRequest, ListWatch, WatchRequest } from './list-watch/list-watch.ts';
export { Reflector } from './reflector/reflector.ts';
export {
  DEFAULT_REFLECTOR_TUNING,
  type ReflectorOptions,
  type ReflectorSink,
  type ReflectorTuning,
} from './reflector/reflector-options.ts';
export type { RelistReason, ReopenReason, Report } from './reflector/reflector-state.ts';
export type { PublishedChange, PublishedReport } from './shared/diagnostics.ts';
export type { Informer } from './shared/informer.ts';
export { type InformerScope, type InformerTarget, ResourceNames, shardOf } from './shared/informer-key.ts';
export { InformerLease } from './shared/informer-lease.ts';
export { SharedInformer } from './shared/shared-informer.ts';
export {
  DEFAULT_SYNC_TIMEOUT_MS,
  type InformerOptions,
  type MetadataInformerOptions,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type WaitForCacheSyncOptions,
} from './shared/shared-informer-factory.ts';
export type { SharedInformerOptions } from './shared/shared-informer-options.ts';
export type { WaitForVersionOptions } from './versions/version-gate.ts';
