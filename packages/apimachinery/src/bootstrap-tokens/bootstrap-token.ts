// Tokens by which machines that are not yet nodes talk to the API server: secrets of type bootstrap.kubernetes.io/token.
import type { Secret } from '../generated/api/core/v1.ts';
import type { DeepReadonly } from '../object.ts';
import { parseTime } from '../time/time.ts';

/** The type of such secrets. */
export const BOOTSTRAP_TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
/** Where such secrets are. */
export const BOOTSTRAP_TOKEN_NAMESPACE = 'kube-system';
/** The group of everybody who comes with such a token. The names of its other groups begin with it and a colon. */
export const BOOTSTRAPPERS = 'system:bootstrappers';
/** The group of machines that join as nodes, as kubeadm names it: what they may do is bound to it. */
export const NODE_TOKEN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';
/** What a token may be used for: to sign `cluster-info`, and to authenticate. */
export const BOOTSTRAP_TOKEN_USAGES = ['signing', 'authentication'] as const;

/** One of {@link BOOTSTRAP_TOKEN_USAGES}. */
export type BootstrapTokenUsage = (typeof BOOTSTRAP_TOKEN_USAGES)[number];

const SECRET_PREFIX = 'bootstrap-token-';
const USAGE_PREFIX = 'usage-bootstrap-';
const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const ID = /^[a-z0-9]{6}$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** The two halves of a token as it is typed, `abcdef.0123456789abcdef`. */
export interface BootstrapTokenText {
  /** Public: it names the secret. */
  readonly id: string;
  readonly secret: string;
}

/** What a secret says of a token. */
export interface BootstrapToken extends BootstrapTokenText {
  readonly usages: readonly BootstrapTokenUsage[];
  /** Besides {@link BOOTSTRAPPERS}. A token with a wrong one cannot authenticate. */
  readonly extraGroups: readonly string[];
  /** In milliseconds since 1970. Undefined: it has no end. A time that cannot be read is over. */
  readonly expiresAt: number | undefined;
  readonly description: string;
}

/** The halves of a token; undefined when it has not the form of one. */
export function parseBootstrapToken(token: string): BootstrapTokenText | undefined {
  const [, id, secret] = TOKEN.exec(token) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Whether it could be the public half of a token. */
export function isBootstrapTokenId(id: string): boolean {
  return ID.test(id);
}

/** Whether a token may give this group to who comes with it. */
export function isBootstrapGroup(group: string): boolean {
  return GROUP.test(group);
}

/** The name of the secret in which a token is. */
export function bootstrapTokenSecretName(id: string): string {
  return SECRET_PREFIX + id;
}

/** The token of a secret; undefined when it is none: another type, place or name, or a half that is missing. */
export function readBootstrapToken({
  metadata,
  type,
  data = {},
}: DeepReadonly<Secret>): BootstrapToken | undefined {
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const [id, secret, groups] = [text('token-id'), text('token-secret'), text('auth-extra-groups')];
  if (type !== BOOTSTRAP_TOKEN_TYPE || metadata?.namespace !== BOOTSTRAP_TOKEN_NAMESPACE) return undefined;
  if (!isBootstrapTokenId(id) || metadata.name !== bootstrapTokenSecretName(id) || secret === '')
    return undefined;
  return {
    id,
    secret,
    usages: BOOTSTRAP_TOKEN_USAGES.filter((usage) => text(USAGE_PREFIX + usage) === 'true'),
    extraGroups: groups === '' ? [] : groups.split(','),
    expiresAt: endOf(text('expiration')),
    description: text('description'),
  };
}

function endOf(expiration: string): number | undefined {
  if (expiration === '') return undefined;
  try {
    return parseTime(expiration);
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** Whether its time is over. */
export function isBootstrapTokenExpired({ expiresAt }: BootstrapToken, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** The data of the secret of a token, as text. */
export function bootstrapTokenData(
  token: Omit<BootstrapToken, 'expiresAt'>,
  expiration?: string,
): Record<string, string> {
  const { id, secret, usages, extraGroups, description } = token;
  return {
    'token-id': id,
    'token-secret': secret,
    ...(expiration !== undefined && { expiration }),
    ...Object.fromEntries(usages.map((usage) => [USAGE_PREFIX + usage, 'true'])),
    ...(extraGroups.length > 0 && { 'auth-extra-groups': extraGroups.join(',') }),
    ...(description !== '' && { description }),
  };
}
