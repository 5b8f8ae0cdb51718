export type { ControllerDescription } from './controller-description.ts';
export { type AddControllersOptions, addControllers, CONTROLLERS } from './controllers.ts';
export * from './errors.ts';
export type { AutoscalerOptions } from './options/autoscaler-options.ts';
export type { SigningAuthority } from './options/controller-options.ts';
export { type ServedControllers, servedControllers } from './served-controllers.ts';
export { DEFAULT_LOAD_BALANCER_CIDR } from './service/address-pool.ts';
