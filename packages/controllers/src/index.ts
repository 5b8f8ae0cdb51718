export {
  type AddControllersOptions,
  addControllers,
  CONTROLLERS,
  type ControllerDescription,
} from './controllers.ts';
export * from './errors.ts';
