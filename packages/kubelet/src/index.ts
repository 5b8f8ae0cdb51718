export { addKubelet, type Kubelet } from './kubelet.ts';
export { DEFAULT_KUBELET_OPTIONS, type KubeletOptions, VISIBLE_TERMINATING_MS } from './kubelet-options.ts';
export { DEFAULT_CAPACITY, type NodeSpec, simulatedNodes } from './node/node-spec.ts';
export type { AdmitPod, Refusal } from './pod/admission.ts';
export * from './runtime/runtime.ts';
export { SimulatedRuntime, type SimulatedRuntimeOptions } from './runtime/simulated-runtime.ts';
export { SIMULATION_PREFIX } from './runtime/simulation-annotations.ts';
export type { ServingOptions } from './server/node-servers.ts';
export type * from './volume-manager/csi/node-driver.ts';
