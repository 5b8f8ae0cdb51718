export {
  type Client,
  type ClientOptions,
  createClient,
  DEFAULT_CLIENT_OPTIONS,
  type DynamicObject,
} from './client.ts';
export type { ClientFor, PodsOf } from './client-for.ts';
export type * from './config.ts';
export {
  Discovery,
  type DiscoveryCallOptions,
  type KindQuery,
  type PluralQuery,
} from './discovery/discovery.ts';
export type { FailedGroupVersion } from './discovery/parse-discovery.ts';
export * from './errors.ts';
export { type InClusterOptions, inClusterConfig } from './kubeconfig/in-cluster.ts';
export {
  type LoadConfigOptions,
  type LoadKubeconfigOptions,
  loadConfig,
  loadKubeconfig,
} from './kubeconfig/load.ts';
export { mergeKubeconfigs } from './kubeconfig/merge.ts';
export { parseKubeconfig } from './kubeconfig/parse.ts';
export { resolveContext } from './kubeconfig/resolve.ts';
export type {
  ClusterEntry,
  ContextEntry,
  ExecEntry,
  Kubeconfig,
  Origin,
  UserEntry,
} from './kubeconfig/types.ts';
export {
  type ApplyManifestsOptions,
  applyManifests,
} from './manifests/apply-manifests.ts';
export {
  ApplyManifestsError,
  type ManifestAction,
  type ManifestResult,
} from './manifests/apply-results.ts';
export {
  APPLY_SET_ANNOTATIONS,
  APPLY_SET_LABELS,
  ApplySetError,
  DEFAULT_TOOLING,
} from './manifests/apply-set.ts';
export type { ApplySetOptions } from './manifests/apply-set-keeper.ts';
export { ManifestError, type ManifestFile, type ManifestSource } from './manifests/read-manifests.ts';
export type { AttachOptions, ExecOptions, TerminalSize } from './pods/command-options.ts';
export { CopyError, type CopyErrorCode } from './pods/copy/copy-error.ts';
export type {
  CopyOptions,
  CopyProgress,
  CopyResult,
  SkippedFile,
} from './pods/copy/copy-options.ts';
export type { CommandExit } from './pods/exit-status.ts';
export { DEFAULT_MAX_LINE_BYTES, type LogOptions } from './pods/log-options.ts';
export { PodLogs } from './pods/pod-logs.ts';
export type { PodProcess } from './pods/pod-process.ts';
export { PodsClient, type PortForwardOptions } from './pods/pods-client.ts';
export type { ForwardOptions, PortListener } from './pods/port-listener.ts';
export type { CallOptions } from './policy/api-caller.ts';
export type { RequestReport } from './policy/request-reports.ts';
export { type RetryOnConflictOptions, retryOnConflict } from './policy/retry-on-conflict.ts';
export { TokenBucket, type TokenBucketOptions } from './policy/token-bucket.ts';
export type { ApiWarning } from './policy/warnings.ts';
export type { PartialObjectMetadata } from './resource/metadata-format.ts';
export type * from './resource/options.ts';
export { DEFAULT_PAGE_SIZE, type ListAllOptions, type ListPagesOptions } from './resource/pager.ts';
export type {
  ApplyConfiguration,
  MergePatch,
  Patch,
  PatchOptions,
  StrategicPatch,
} from './resource/patch.ts';
export { ResourceClient } from './resource/resource-client.ts';
export { ResourceReader } from './resource/resource-reader.ts';
export { ScaleClient } from './resource/scale-client.ts';
export type { AllNamespacesClient, ClusterScopedClient } from './resource/scoped-clients.ts';
export { SubresourceClient } from './resource/subresource-client.ts';
export { Secret, type SecretValue } from './secret.ts';
export { DEFAULT_HTTP_OPTIONS, type HttpTransportOptions } from './transport/http-options.ts';
export { HttpTransport } from './transport/http-transport.ts';
export {
  type Bookmark,
  INITIAL_EVENTS_END,
  isInitialEventsEnd,
  type WatchEvent,
} from './watch/watch-event.ts';
export { WatchStream, type WatchStreamOptions } from './watch/watch-stream.ts';
