import type { Clock, Logger, Random } from '@windlass/base';
import type { Store } from '../storage/store.ts';
import { bearerAuthenticator, type TokenAuthenticator } from './authenticators/bearer-token.ts';
import { certificateAuthenticator } from './authenticators/certificate-authenticator.ts';
import { frontProxyAuthenticator } from './authenticators/front-proxy-authenticator.ts';
import { type StaticToken, staticTokens } from './authenticators/static-tokens.ts';
import { unionAuthenticator } from './authenticators/union.ts';
import type { Authorizer } from './authorizer.ts';
import { NodeAuthorizer } from './node/node-authorizer.ts';
import { RbacAuthorizer, type RuleSource } from './rbac/rbac-authorizer.ts';
import { RbacIndex } from './rbac/rbac-index.ts';
import { BootstrapTokens } from './tokens/bootstrap-tokens.ts';
import { SecretTokens } from './tokens/secret-tokens.ts';
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts';
import { mastersAuthorizer, unionAuthorizer } from './union-authorizer.ts';
import type { Authenticator } from './user.ts';

export interface AccessOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** PKCS#8 PEM, RSA; signs the tokens of service accounts. @default a new one, made when first needed */
  readonly serviceAccountKey?: string;
  /** @default 'https://kubernetes.default.svc.cluster.local' */
  readonly serviceAccountIssuer?: string;
  /** @default none */
  readonly tokens?: readonly StaticToken[];
  /** Whether bootstrap tokens are known. @default true */
  readonly bootstrapTokens?: boolean;
  /** Common names that the certificates of front proxies may have; empty for any. @default any */
  readonly frontProxyNames?: readonly string[];
}

/** Who somebody is, and what they may do. */
export class Access implements AsyncDisposable {
  readonly serviceAccounts: ServiceAccountTokens;
  /** Every kind of bearer token, in the order in which they are asked. */
  readonly tokenAuthenticators: readonly TokenAuthenticator[];
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly rules: RuleSource;
  readonly rbac: RbacIndex;
  readonly #nodes: NodeAuthorizer;

  constructor(options: AccessOptions) {
    const { store, clock, random, logger, serviceAccountKey, serviceAccountIssuer, tokens = [] } = options;
    this.serviceAccounts = new ServiceAccountTokens({
      store,
      clock,
      random,
      ...(serviceAccountKey !== undefined && { key: serviceAccountKey }),
      ...(serviceAccountIssuer !== undefined && { issuer: serviceAccountIssuer }),
    });
    this.tokenAuthenticators = [
      staticTokens(tokens),
      this.serviceAccounts,
      new SecretTokens(store, this.serviceAccounts),
      ...(options.bootstrapTokens === false ? [] : [new BootstrapTokens(store, clock)]),
    ];
    this.authenticator = unionAuthenticator([
      frontProxyAuthenticator(options.frontProxyNames ?? []),
      certificateAuthenticator,
      bearerAuthenticator(this.tokenAuthenticators),
    ]);
    this.rbac = new RbacIndex(store, logger);
    const rbac = new RbacAuthorizer(this.rbac);
    this.rules = rbac;
    this.#nodes = new NodeAuthorizer(store, logger);
    this.authorizer = unionAuthorizer([mastersAuthorizer, this.#nodes, rbac]);
  }

  /** Until then only administrators may do anything. */
  async start(): Promise<void> {
    await Promise.all([this.rbac.start(), this.#nodes.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.rbac.stop(), this.#nodes.stop()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
