import type { Authorizer } from './authorizer.ts';
import { SYSTEM_MASTERS } from './user.ts';

/** Its members may do everything, whatever roles say: the way back in when roles are broken. */
export const mastersAuthorizer: Authorizer = Object.freeze({
  authorize: ({ user }: Parameters<Authorizer['authorize']>[0]) => ({
    isAllowed: user.groups.includes(SYSTEM_MASTERS),
    reason: '',
  }),
});

/** Allowed when one of them allows it; else all their reasons. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(attributes) {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = authorizer.authorize(attributes);
        if (decision.isAllowed) return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
      }
      return { isAllowed: false, reason: reasons.join(', ') };
    },
  };
}
