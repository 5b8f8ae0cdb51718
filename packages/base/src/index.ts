export * from './abort.ts';
export * from './append-all.ts';
export * from './around.ts';
export * from './backoff.ts';
export * from './clock.ts';
export { detachedSignature } from './detached-signature.ts';
export * from './errors.ts';
export * from './fake-clock.ts';
export * from './heap.ts';
export * from './liveness.ts';
export * from './log-writers.ts';
export * from './logger.ts';
export * from './loop/event-loop.ts';
export { type LoopWatchOptions, watchLoop } from './loop/loop-watch.ts';
export * from './loop/turn-marks.ts';
export * from './loop/turn-share.ts';
export { type MakeDirectoryOptions, makeDirectory, makeDirectorySync } from './make-directory.ts';
export * from './metrics.ts';
export * from './metrics-registry.ts';
export * from './random.ts';
export * from './records.ts';
export * from './ring-buffer.ts';
export { Undo } from './undo.ts';
export { VERSION } from './version.ts';
export { writeWhole } from './write-whole.ts';
export {
  type CertificateRequest,
  type Issuer,
  issueCertificate,
  type KeyPair,
  signCertificate,
} from './x509/certificate.ts';
export { SigningRequestError } from './x509/errors.ts';
export * from './x509/sign-request.ts';
export * from './x509/signing-request.ts';
