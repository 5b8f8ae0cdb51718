export {
  addDirectPVController,
  DEFAULT_DIRECTPV_CONTROLLER_OPTIONS,
  type DirectPVControllerOptions,
  type DirectPVControllerService,
} from './add-directpv-controller.ts';
export { type IdentityOptions, identityService } from './identity-service.ts';
