import { createHash, timingSafeEqual } from 'node:crypto';
import { InvalidArgumentError } from '@windlass/base';
import { AUTHENTICATED, type UserInfo } from '../user.ts';
import type { TokenAuthenticator } from './bearer-token.ts';

/** A token that always means the same user. */
export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly uid?: string;
  /** @default none */
  readonly groups?: readonly string[];
}

/** Keeps the digests only, so that neither a dump of memory nor the time of a comparison tells a token. */
export function staticTokens(tokens: readonly StaticToken[]): TokenAuthenticator {
  const known = tokens.map(({ token, user, uid, groups = [] }) => {
    if (token === '' || user === '')
      throw new InvalidArgumentError('tokens', { user }, 'a token and a user that are not empty');
    const info: UserInfo = {
      name: user,
      groups: [...groups, AUTHENTICATED],
      ...(uid !== undefined && { uid }),
    };
    return { digest: digestOf(token), info };
  });
  return {
    async authenticateToken(token) {
      const digest = digestOf(token);
      const found = known.find((candidate) => timingSafeEqual(candidate.digest, digest));
      return found === undefined ? undefined : { user: found.info };
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
