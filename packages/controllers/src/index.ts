export type { ControllerDescription } from './controller-description.ts';
export { CONTROLLERS } from './controller-list.ts';
export { type AddControllersOptions, addControllers } from './controllers.ts';
export * from './errors.ts';
export type { AutoscalerOptions } from './options/autoscaler-options.ts';
export type { ServingApproval, SigningAuthority } from './options/controller-options.ts';
export { type ServedControllers, servedControllers } from './served-controllers.ts';
export { DEFAULT_LOAD_BALANCER_CIDR } from './service/address-pool.ts';
