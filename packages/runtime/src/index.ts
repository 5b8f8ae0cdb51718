export * from './cache/cache.ts';
export type { CacheRead } from './cache/cache-reads.ts';
export { CachedKind, type Subscription } from './cache/cached-kind.ts';
export * from './cluster.ts';
export {
  type LoadManagerConfigOptions,
  loadManagerConfig,
  type ManagerConfig,
  managerConfigHelp,
} from './config/manager-config.ts';
export { InvalidSettingError } from './config/settings.ts';
export * from './controller.ts';
export {
  type ControllerCounts,
  type ControllerOptions,
  DEFAULT_CONTROLLER_OPTIONS,
  type EnqueueOptions,
  type StopOptions,
} from './controller-options.ts';
export {
  type Child,
  type ChildOptions,
  child,
  type KindReadiness,
  type Readiness,
  type ReadinessAnswer,
  readyWhen,
} from './dependents/child.ts';
export { InvalidDeclarationError, type MaybeChild } from './dependents/declaration.ts';
export { addDependents, type DependentsOptions, type StatusFields } from './dependents/dependents.ts';
export type { ObservedChildren } from './dependents/observed.ts';
export * from './errors.ts';
export type { HandledEvent, HandleEvent } from './event-handling.ts';
export { EventBroadcaster, type EventBroadcasterOptions } from './events/event-broadcaster.ts';
export * from './events/recorder.ts';
export { Fleet, FleetControllerBuilder, type FleetReconcile, type FleetRequest } from './fleet/fleet.ts';
export { type KubeconfigFolderOptions, kubeconfigFolder } from './fleet/kubeconfig-folder.ts';
export { type KubeconfigSecretsOptions, kubeconfigSecrets } from './fleet/kubeconfig-secrets.ts';
export type { ClusterProvider, FleetSink, MemberOptions } from './fleet/provider.ts';
export { type BusyKey, WakeCounts } from './hot-keys/wake-counts.ts';
export {
  DEFAULT_LEADER_ELECTION,
  type LeaderElectionOptions,
  LeaderElector,
  type LeaderElectorOptions,
} from './leader-election/leader-elector.ts';
export { listen, listenWithin, type Messages } from './listen.ts';
export { ControllerBuilder } from './manager/controller-builder.ts';
export * from './manager/manager.ts';
export * from './manager/manager-options.ts';
export * from './mapping.ts';
export * from './object-event.ts';
export * from './objects/create-or-update.ts';
export * from './objects/finalizer.ts';
export { KindClient, type ListReadOptions, type ReadOptions } from './objects/kind-client.ts';
export { StatusWriter } from './objects/status-writer.ts';
export * from './predicates.ts';
export * from './reason.ts';
export type { ReconcileReport } from './reconcile-reports.ts';
export type * from './reconciler.ts';
export type { ReconcileOutcome, ReconcileResult } from './result.ts';
export type { StartedRun } from './run.ts';
export type * from './runnable.ts';
export type { HealthCheck } from './servers/health-checks.ts';
export { SHARD_LABEL, Shard } from './shards/shard.ts';
export { addShards, type Shards, type ShardsOptions } from './shards/shards.ts';
export { ALWAYS_SYNCED, type Channel, type ChannelOptions, channelSource } from './sources/channel-source.ts';
export * from './sources/kind-source.ts';
export * from './sources/source.ts';
export * from './sources/timer-source.ts';
export type { ManagedControllerOptions, OwnsOptions, WatchOptions } from './watch-options.ts';
export type { AdmissionContext, AdmissionRequest, Mutate, Validate } from './webhooks/admission.ts';
export type { CaBundleTargets } from './webhooks/ca-bundle.ts';
export { CertificateError, type CertificateSet } from './webhooks/certificate-set.ts';
export * from './webhooks/certificate-store.ts';
export * from './webhooks/configurations.ts';
export { type Convert, type HubConversion, throughHub } from './webhooks/conversion.ts';
export * from './webhooks/declaration.ts';
export { type Conversions, type ConversionWebhook, convert } from './webhooks/declared-conversion.ts';
export {
  DeniedError,
  deny,
  type Finding,
  RefusedError,
  type RefuseOptions,
  refuse,
  type Warning,
  warn,
} from './webhooks/findings.ts';
export { BadReviewError, Reviews, type Webhook } from './webhooks/reviews.ts';
export { type WebhookOptions, WebhookServer } from './webhooks/webhook-server.ts';
export { webhooksIn } from './webhooks/webhooks-in.ts';
