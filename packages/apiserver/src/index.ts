export { issueCertificate, type KeyPair } from '@windlass/base';
export type { StaticToken } from './access/authenticators/static-tokens.ts';
export { parseTokenFile } from './access/authenticators/token-file.ts';
export type { Authenticator, Credentials, UserInfo } from './access/user.ts';
export { OPTIONAL_PLUGINS, type OptionalPlugin } from './admission/optional-plugins.ts';
export { ApiServer } from './api-server.ts';
export type { ApiServerOptions, ListenOptions } from './api-server-options.ts';
export { AuditFile, type AuditFileOptions } from './audit/audit-file.ts';
export {
  AUDIT_LEVELS,
  type AuditLevel,
  type AuditPolicy,
  auditPolicyFor,
  parseAuditPolicy,
} from './audit/audit-policy.ts';
export type { AuditSink } from './audit/audit-sink.ts';
export { advertisedAddress } from './bootstrap/advertised-address.ts';
export { compileDeviceSelector } from './builtin/resource/selector/device-selector.ts';
export { type ClusterNetwork, machineNetwork } from './connect/network.ts';
export type { NodeConnectionOptions } from './connect/node-connections.ts';
export type { LocalWebhook, LocalWebhooks } from './exchange/post-review.ts';
export type { KubeletReader } from './metrics/kubelet-usage.ts';
export { SNAPSHOT_COUNT, SNAPSHOT_PATH, SNAPSHOT_REVISION } from './paths/snapshot-path.ts';
export * from './storage/index.ts';
