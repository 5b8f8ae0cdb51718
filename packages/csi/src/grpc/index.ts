// gRPC over unix sockets, for the protocols of other packages.
export type { ProtocolTable } from '../protobuf/table.ts';
export { type ClientOptions, GrpcClient } from './client.ts';
export type { GrpcCode } from './codes.ts';
export { GrpcError } from './errors.ts';
export { GrpcServer } from './server.ts';
export { type ServerOptions, serverDefaults } from './server-options.ts';
export {
  type CallOptions,
  type ClientOf,
  handlersOf,
  type MessageInit,
  methodsOf,
  type ServiceOf,
} from './service.ts';
