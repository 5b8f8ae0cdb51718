import { type ClientOf, GrpcClient, type GrpcClientOptions, methodsOf } from '@windlass/grpc';
import type { ImageServiceMethods, RuntimeServiceMethods } from './generated/cri.ts';
import { table } from './generated/cri-table.ts';

/** How the two services of the container runtime interface stand on the wire. */
export const CRI_METHODS = [
  ...methodsOf(table, 'RuntimeService'),
  ...methodsOf(table, 'ImageService'),
] as const;

/** A list of many containers is long: as much as other node agents take. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A container runtime behind its socket: a method for each of the protocol's that is no stream. */
export type CriClient = ClientOf<RuntimeServiceMethods> &
  ClientOf<ImageServiceMethods> &
  Pick<GrpcClient, 'close' | typeof Symbol.asyncDispose>;

/** Where the runtime listens, and how long a call may take. */
export interface CriClientOptions extends Omit<GrpcClientOptions, 'target'> {
  readonly socketPath: string;
}

class Client extends GrpcClient {
  constructor({ socketPath, ...options }: CriClientOptions) {
    super(CRI_METHODS, { maxMessageBytes: MAX_MESSAGE_BYTES, ...options, target: { socketPath } });
  }
}

// The methods come from the table at run time; the generated types say which ones.
export const CriClient = Client as unknown as new (options: CriClientOptions) => CriClient;
