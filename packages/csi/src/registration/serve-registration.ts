import {
  callObserver,
  GrpcServer,
  handlersOf,
  type ServerOptions,
  type ServiceOf,
  serverDefaults,
} from '@windlass/grpc';
import type { PluginInfo, RegistrationMethods, RegistrationStatus } from '../generated/registration.ts';
import type { RunningServer } from '../protocol/serve-csi.ts';
import { REGISTRATION_METHODS } from './methods.ts';

/** What the kubelet is told about a driver, and where. */
export interface ServeRegistrationOptions extends ServerOptions {
  readonly info: {
    /** @default 'CSIPlugin' */
    readonly type?: string | undefined;
    /** The driver's name. */
    readonly name: string;
    /** The path of the driver's own socket, as the kubelet sees it. */
    readonly endpoint: string;
    /** @default ['1.0.0'], which says CSI 1 to every kubelet */
    readonly supportedVersions?: readonly string[] | undefined;
  };
  /** Told each time the kubelet says whether it has taken the plugin in. */
  readonly onStatus?: ((status: RegistrationStatus) => void) | undefined;
}

/** Makes a driver known to the kubelet, which finds the socket in its `plugins_registry` folder. */
export async function serveRegistration(options: ServeRegistrationOptions): Promise<RunningServer> {
  const settings = serverDefaults(options);
  const logger = settings.logger.with({ driver: options.info.name });
  const info: PluginInfo = {
    type: options.info.type ?? 'CSIPlugin',
    name: options.info.name,
    endpoint: options.info.endpoint,
    supportedVersions: options.info.supportedVersions ?? ['1.0.0'],
  };
  const service: ServiceOf<RegistrationMethods> = {
    getInfo: async () => info,
    notifyRegistrationStatus: async (status) => {
      if (status.pluginRegistered) logger.info('the kubelet has registered the driver');
      else logger.error('the kubelet has not registered the driver', { reason: status.error });
      options.onStatus?.(status);
      return {};
    },
  };
  return GrpcServer.start({
    ...settings,
    logger,
    handlers: handlersOf(REGISTRATION_METHODS, service),
    observe: callObserver(settings.metrics, 'csi_plugin', () => info.name),
  });
}
