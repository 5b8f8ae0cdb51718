import { GrpcClient } from '@windlass/grpc';
import { type ClientOptions, grpcOptions } from './client-options.ts';
import { CSI_METHODS } from './methods.ts';
import type { CsiDriver } from './services.ts';

/** A driver behind its socket: a method for each of the protocol's, with a deadline each. */
export type CsiClient = CsiDriver & Pick<GrpcClient, 'close' | typeof Symbol.asyncDispose>;

class Client extends GrpcClient {
  constructor(options: ClientOptions) {
    super([...CSI_METHODS.identity, ...CSI_METHODS.controller, ...CSI_METHODS.node], grpcOptions(options));
  }
}

// The methods come from the table at run time; the generated types say which ones.
export const CsiClient = Client as unknown as new (options: ClientOptions) => CsiClient;
