export type * from './config.ts';
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
export { Secret, type SecretValue } from './secret.ts';
export {
  DEFAULT_HTTP_OPTIONS,
  HttpTransport,
  type HttpTransportOptions,
} from './transport/http-transport.ts';
