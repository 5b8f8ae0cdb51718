export { type FakeAnswer, FakeTransport, type FakeTransportOptions, FakeWatch } from './fake-transport.ts';
