export { type FakeAnswer, FakeTransport, type FakeTransportOptions, FakeWatch } from './fake-transport.ts';
export { type Silence, SilentProxy } from './silent-proxy.ts';
