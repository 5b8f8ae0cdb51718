import { newUnauthorized } from '@windlass/apimachinery';
import type { Authenticator, Credentials, UserInfo } from '../user.ts';

/** Knows some bearer tokens. Undefined: not one of mine. Throws a StatusError (401) for one of mine that is wrong. */
export interface TokenAuthenticator {
  authenticateToken(token: string, audiences?: readonly string[]): Promise<TokenUser | undefined>;
}

export interface TokenUser {
  readonly user: UserInfo;
  /** Of those that were asked for, the ones that the token is meant for; absent when it is meant for any. */
  readonly audiences?: readonly string[];
}

/** The token of `Authorization: Bearer TOKEN`; undefined when there is none. */
export function bearerTokenOf({ headers }: Credentials): string | undefined {
  const { authorization } = headers;
  if (typeof authorization !== 'string') return undefined;
  const [scheme = '', token = ''] = authorization.trim().split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Asks each in turn. A token that nobody knows is refused: whoever sends one does not mean to be anonymous. */
export function bearerAuthenticator(authenticators: readonly TokenAuthenticator[]): Authenticator {
  return {
    async authenticate(credentials) {
      const token = bearerTokenOf(credentials);
      if (token === undefined) return undefined;
      for (const authenticator of authenticators) {
        const known = await authenticator.authenticateToken(token);
        if (known !== undefined) return known.user;
      }
      throw newUnauthorized('Unauthorized');
    },
  };
}
