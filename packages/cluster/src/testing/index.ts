export { CrashedError, Faults, type FaultTarget, type RequestFault } from './faults.ts';
export {
  NotSettledError,
  startTestCluster,
  TestCluster,
  type TestClusterOptions,
  type TestManager,
} from './test-cluster.ts';
