import { SelfSubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import { defineKind } from '../../define-kind.ts';
import { answer, questionErrors, refuse } from '../access-reviews.ts';

export const selfSubjectAccessReview = defineKind(SelfSubjectAccessReview, ({ authorizer }) => ({
  async review(draft, { user }) {
    const { spec = {} } = draft;
    refuse(SelfSubjectAccessReview.kind, questionErrors(spec));
    return { ...draft, status: answer(spec, user, authorizer) };
  },
}));
