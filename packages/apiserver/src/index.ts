export type { Authenticator, Credentials, UserInfo } from './access/user.ts';
export { issueCertificate, type KeyPair } from './access/x509/certificate.ts';
export { ApiServer, type ApiServerOptions, type ListenOptions } from './api-server.ts';
export * from './storage/index.ts';
