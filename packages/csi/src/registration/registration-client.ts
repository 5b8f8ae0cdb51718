import { type ClientOf, GrpcClient } from '@windlass/grpc';
import type { RegistrationMethods } from '../generated/registration.ts';
import { type ClientOptions, grpcOptions } from '../protocol/client-options.ts';
import { REGISTRATION_METHODS } from './methods.ts';

/** The kubelet's side of plugin registration. */
export type RegistrationClient = ClientOf<RegistrationMethods> &
  Pick<GrpcClient, 'close' | typeof Symbol.asyncDispose>;

class Client extends GrpcClient {
  constructor(options: ClientOptions) {
    super(REGISTRATION_METHODS, grpcOptions(options));
  }
}

// The methods come from the table at run time; the generated types say which ones.
export const RegistrationClient = Client as unknown as new (options: ClientOptions) => RegistrationClient;
