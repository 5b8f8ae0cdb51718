export {
  addDirectpvController,
  DEFAULT_DIRECTPV_CONTROLLER_OPTIONS,
  type DirectpvController,
  type DirectpvControllerOptions,
} from './add-directpv-controller.ts';
export { type IdentityOptions, identityService } from './identity-service.ts';
