export { CrashedError, Faults, type FaultTarget, type RequestFault } from './faults.ts';
export {
  NotSettledError,
  startTestCluster,
  TestCluster,
  type TestClusterOptions,
  type TestManager,
  type TestManagerOptions,
} from './test-cluster.ts';
