import { callObserver, GrpcServer, type ServerOptions, serverDefaults } from '@windlass/grpc';
import { directDriver } from './direct-driver.ts';
import { type CsiServices, csiHandlers } from './services.ts';

/** The services of a driver, and where they are served. */
export interface ServeCsiOptions extends ServerOptions, CsiServices {}

/** A server that runs. `stop` lets running calls end within the grace, and removes the socket. */
export interface RunningServer extends AsyncDisposable {
  readonly socketPath: string;
  stop(): Promise<void>;
}

/**
 * Serves a driver on a unix socket. A socket that a crash left behind is replaced; one that somebody
 * serves is refused with a SocketError.
 */
export async function serveCsi(options: ServeCsiOptions): Promise<RunningServer> {
  const settings = serverDefaults(options);
  const { name } = await directDriver(options, { clock: settings.clock }).getPluginInfo({});
  return GrpcServer.start({
    ...settings,
    logger: settings.logger.with({ driver: name }),
    handlers: csiHandlers(options),
    observe: callObserver(settings.metrics, 'csi_plugin', () => name),
  });
}
