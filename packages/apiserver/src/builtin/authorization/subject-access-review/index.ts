import { SubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import { defineKind } from '../../define-kind.ts';
import { answer, questionErrors, refuse, subjectErrors, subjectOf } from '../access-reviews.ts';

export const subjectAccessReview = defineKind(SubjectAccessReview, ({ authorizer }) => ({
  async review(draft) {
    const { spec = {} } = draft;
    refuse(SubjectAccessReview.kind, [...subjectErrors(spec), ...questionErrors(spec)]);
    return { ...draft, status: answer(spec, subjectOf(spec), authorizer) };
  },
}));
