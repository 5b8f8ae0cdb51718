import { formatTime, newUnauthorized } from '@windlass/apimachinery';
import type { Clock, Random } from '@windlass/base';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Store, StoredObject } from '../../storage/store.ts';
import type { TokenAuthenticator, TokenUser } from '../authenticators/bearer-token.ts';
import { serviceAccountGroups, serviceAccountUser } from '../service-account-name.ts';
import type { UserInfo } from '../user.ts';
import { type SigningKey, signingKey } from './signing-key.ts';
import { unverifiedIssuer } from './unverified-issuer.ts';
import { VerifiedTokens } from './verified-tokens.ts';

export const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

export interface ServiceAccountTokensOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** PKCS#8 PEM, RSA. @default a new one, made when it is first needed */
  readonly key?: string;
  /** @default DEFAULT_ISSUER */
  readonly issuer?: string;
}

/** An object whose end is the token's end too. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

export interface TokenSpec {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Empty means this API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound?: BoundObject;
  /** The node of a bound pod, for the token's holder to say where it runs. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

export interface IssuedToken {
  readonly token: string;
  readonly expirationTimestamp: string;
  /** Whom it is for, after the default. */
  readonly audiences: readonly string[];
}

interface Reference {
  readonly name: string;
  readonly uid?: string;
}

interface KubernetesClaims {
  readonly namespace: string;
  readonly serviceaccount: Reference;
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
}

/**
 * Tokens by which service accounts prove who they are. A token is good while it has not ended, its service
 * account is the same one (by uid), and so is the object that it is bound to. Refusals never say more than
 * that: the token itself appears in no message.
 */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokensOptions;
  readonly issuer: string;
  readonly #verified = new VerifiedTokens();
  #key: SigningKey | undefined = undefined;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
    this.issuer = options.issuer ?? DEFAULT_ISSUER;
  }

  get key(): SigningKey {
    this.#key ??= signingKey(this.#options.key);
    return this.#key;
  }

  async issue(spec: TokenSpec): Promise<IssuedToken> {
    const now = this.#now();
    const audiences = spec.audiences.length === 0 ? [this.issuer] : [...spec.audiences];
    const expires = now + spec.expirationSeconds;
    const claims = { 'kubernetes.io': claimsOf(spec) };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: this.key.id })
      .setIssuer(this.issuer)
      .setSubject(serviceAccountUser(spec.namespace, spec.name))
      .setAudience(audiences)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(expires)
      .setJti(this.#options.random.uuid())
      .sign(this.key.privateKey);
    return { token, expirationTimestamp: formatTime(expires * 1000), audiences };
  }

  async authenticateToken(token: string, audiences?: readonly string[]): Promise<TokenUser | undefined> {
    const payload = this.#verified.find(token, this.#now()) ?? (await this.#verify(token));
    if (payload === undefined) return undefined;
    const wanted = audiences === undefined || audiences.length === 0 ? [this.issuer] : audiences;
    const meant = new Set(typeof payload.aud === 'string' ? [payload.aud] : (payload.aud ?? []));
    const matching = wanted.filter((audience) => meant.has(audience));
    const claims = kubernetesClaims(payload);
    if (matching.length === 0 || claims === undefined) throw refused();
    if (payload.sub !== serviceAccountUser(claims.namespace, claims.serviceaccount.name)) throw refused();
    await this.#checkObjects(claims);
    return { user: userOf(claims, payload.jti), audiences: matching };
  }

  /** In whole seconds, as tokens have them. */
  #now(): number {
    return Math.floor(this.#options.clock.now() / 1000);
  }

  /** Undefined for a token of another issuer. */
  async #verify(token: string): Promise<JWTPayload | undefined> {
    // Others' tokens are none of our business; reading the issuer costs no verification.
    if (unverifiedIssuer(token) !== this.issuer) return undefined;
    try {
      const { payload } = await jwtVerify(token, this.key.publicKey, {
        algorithms: ['RS256'],
        issuer: this.issuer,
        currentDate: new Date(this.#options.clock.now()),
        requiredClaims: ['exp', 'sub', 'aud'],
      });
      this.#verified.add(token, payload);
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused();
      throw error;
    }
  }

  async #checkObjects({ namespace, serviceaccount, pod, secret, node }: KubernetesClaims): Promise<void> {
    const { store } = this.#options;
    const isAlive = async (key: string, { uid }: Reference): Promise<boolean> => {
      const stored = await store.get(key);
      return stored !== undefined && stored.object.metadata?.uid === uid && !this.#hasEnded(stored);
    };
    const checks = [isAlive(`//serviceaccounts/${namespace}/${serviceaccount.name}`, serviceaccount)];
    if (secret !== undefined) checks.push(isAlive(`//secrets/${namespace}/${secret.name}`, secret));
    if (pod !== undefined) checks.push(isAlive(`//pods/${namespace}/${pod.name}`, pod));
    // With a pod the node only says where it runs; alone it is what the token is bound to.
    else if (node !== undefined) checks.push(isAlive(`//nodes/${node.name}`, node));
    if (!(await Promise.all(checks)).every(Boolean)) throw refused();
  }

  /** An object that waits for its finalizers a while after its deletion no longer vouches for anybody. */
  #hasEnded({ object }: StoredObject): boolean {
    const deleted = object.metadata?.deletionTimestamp;
    return deleted !== undefined && Date.parse(deleted) + DELETION_LEEWAY_MS < this.#options.clock.now();
  }
}

/** So long after its deletion an object still vouches: what runs in it may be shutting down. */
const DELETION_LEEWAY_MS = 60_000;

function claimsOf({ namespace, name, uid, bound, node }: TokenSpec): KubernetesClaims {
  const reference = bound === undefined ? undefined : { name: bound.name, uid: bound.uid };
  return {
    namespace,
    ...(bound?.kind === 'Node' && reference !== undefined
      ? { node: reference }
      : node !== undefined && { node }),
    ...(bound?.kind === 'Pod' && reference !== undefined && { pod: reference }),
    ...(bound?.kind === 'Secret' && reference !== undefined && { secret: reference }),
    serviceaccount: { name, uid },
  };
}

function userOf({ namespace, serviceaccount, pod, node }: KubernetesClaims, jti: unknown): UserInfo {
  const extra: Record<string, string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value !== undefined) extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  add('credential-id', typeof jti === 'string' ? `JTI=${jti}` : undefined);
  add('node-name', node?.name);
  add('node-uid', node?.uid);
  add('pod-name', pod?.name);
  add('pod-uid', pod?.uid);
  return {
    name: serviceAccountUser(namespace, serviceaccount.name),
    ...(serviceaccount.uid !== undefined && { uid: serviceaccount.uid }),
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function kubernetesClaims(payload: JWTPayload): KubernetesClaims | undefined {
  // The signature is ours, so what is there has the shape that we gave it; tokens of other makers may lack it.
  const claims = payload['kubernetes.io'] as Partial<KubernetesClaims> | undefined;
  if (typeof claims?.namespace !== 'string' || typeof claims.serviceaccount?.name !== 'string')
    return undefined;
  return { ...claims, namespace: claims.namespace, serviceaccount: claims.serviceaccount };
}

function refused(): Error {
  return newUnauthorized('Unauthorized');
}
