import { isUnauthorized, newBadRequest } from '@windlass/apimachinery';
import { TokenReview, type TokenReviewStatus } from '@windlass/apimachinery/api/authentication/v1';
import type { View } from '../../../resource/views.ts';
import type { TokenChecker } from '../../builtin-services.ts';
import { defineKind } from '../../define-kind.ts';
import { userFields } from '../user-fields.ts';

/** Not served where nobody knows any tokens. */
export const tokenReview = defineKind(TokenReview, ({ tokenCheckers: checkers }) => {
  if (checkers === undefined) return {};
  return {
    async review(draft) {
      const { token = '', audiences } = draft.spec ?? {};
      if (token === '') throw newBadRequest('token is required for TokenReview in authentication');
      return { ...draft, status: await tokenStatus(checkers, token, audiences ?? []) };
    },
  };
});

async function tokenStatus(
  checkers: readonly TokenChecker[],
  token: string,
  audiences: readonly string[],
): Promise<View<TokenReviewStatus>> {
  try {
    for (const checker of checkers) {
      const known = await checker.authenticateToken(token, audiences);
      if (known === undefined) continue;
      return {
        authenticated: true,
        user: userFields(known.user),
        ...(known.audiences !== undefined && { audiences: known.audiences }),
      };
    }
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return { user: {}, error: '[invalid bearer token, Unauthorized]' };
  }
  return { user: {}, error: 'invalid bearer token' };
}
