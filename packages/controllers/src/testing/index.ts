export { type ControlledCluster, startControllers } from './controlled-cluster.ts';
