import { formatTime } from '@windlass/apimachinery';
import { SelfSubjectReview } from '@windlass/apimachinery/api/authentication/v1';
import { defineKind } from '../../define-kind.ts';
import { userFields } from '../user-fields.ts';

export const selfSubjectReview = defineKind(SelfSubjectReview, {
  review: async (draft, { user, clock }) => ({
    ...draft,
    metadata: { creationTimestamp: formatTime(clock.now()) },
    status: { userInfo: userFields(user) },
  }),
});
