export type { SigningAuthority } from './controller-options.ts';
export {
  type AddControllersOptions,
  addControllers,
  CONTROLLERS,
  type ControllerDescription,
} from './controllers.ts';
export * from './errors.ts';
export type { AutoscalerOptions } from './horizontal-pod-autoscaler/autoscaler-options.ts';
