import type { Authenticator } from '../user.ts';

/** The first that knows the caller decides. One that finds wrong credentials ends the search. */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(credentials) {
      for (const authenticator of authenticators) {
        const user = await authenticator.authenticate(credentials);
        if (user !== undefined) return user;
      }
      return undefined;
    },
  };
}
