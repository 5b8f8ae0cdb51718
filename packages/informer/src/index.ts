export { type ClientListWatchOptions, clientListWatch } from './client-list-watch.ts';
export type { PublishedChange, PublishedReport } from './diagnostics.ts';
export * from './errors.ts';
export type { Failure, FailureKind } from './failure.ts';
export { filteringHandler } from './filtering-handler.ts';
export type { IndexFunction } from './index-table.ts';
export type { Indexers, ReadIndexer } from './indexer.ts';
export type { HandlerOptions, Informer } from './informer.ts';
export type { InformerScope, InformerTarget } from './informer-key.ts';
export { InformerLease } from './informer-lease.ts';
export type { ListPage, ListRequest, ListWatch, WatchRequest } from './list-watch.ts';
export { type Lister, type ListerOptions, NAMESPACE_INDEX } from './lister.ts';
export type { AddInfo, DeleteInfo, EventHandler } from './notification.ts';
export type { PreparationOptions } from './object-preparation.ts';
export {
  DEFAULT_REFLECTOR_TUNING,
  Reflector,
  type ReflectorOptions,
  type ReflectorSink,
  type ReflectorTuning,
} from './reflector.ts';
export type { RelistReason, ReopenReason, Report } from './reflector-state.ts';
export type { Registration } from './registration.ts';
export { SharedInformer, type SharedInformerOptions } from './shared-informer.ts';
export {
  DEFAULT_SYNC_TIMEOUT_MS,
  type InformerOptions,
  type MetadataInformerOptions,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type WaitForCacheSyncOptions,
} from './shared-informer-factory.ts';
export type { WaitForVersionOptions } from './version-gate.ts';
