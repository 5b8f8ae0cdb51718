export { DEFAULT_KUBELET_OPTIONS, Kubelet, type KubeletOptions } from './kubelet.ts';
export { DEFAULT_CAPACITY, type NodeSpec, simulatedNodes } from './node/node-spec.ts';
export type { AdmitPod, Refusal } from './pod/admission.ts';
export * from './runtime/runtime.ts';
export { SIMULATION_PREFIX } from './runtime/simulated-program.ts';
export { SimulatedRuntime, type SimulatedRuntimeOptions } from './runtime/simulated-runtime.ts';
export type * from './volume-manager/csi/node-driver.ts';
