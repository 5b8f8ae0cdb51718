export { CrashedError, Faults, type FaultTarget, type RequestFault } from './faults.ts';
export { type RecordAccessOptions, recordAccess } from './record-access.ts';
export {
  NotSettledError,
  type SettleOptions,
  startTestCluster,
  TestCluster,
  type TestClusterOptions,
  type TestManager,
  type TestManagerOptions,
} from './test-cluster.ts';
export { type AskOptions, TestWebhooks, testWebhooks, type WebhookVerdict } from './test-webhooks.ts';
