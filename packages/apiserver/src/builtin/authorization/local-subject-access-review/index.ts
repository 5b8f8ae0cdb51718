import {
  type FieldError,
  FieldPath,
  fieldForbidden,
  fieldRequired,
  newBadRequest,
} from '@windlass/apimachinery';
import { LocalSubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import type { View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { answer, questionErrors, refuse, subjectErrors, subjectOf } from '../access-reviews.ts';

export const localSubjectAccessReview = defineKind(LocalSubjectAccessReview, ({ authorizer }) => ({
  async review(draft) {
    const { metadata, spec = {} } = draft;
    refuse(LocalSubjectAccessReview.kind, [
      ...subjectErrors(spec),
      ...questionErrors(spec),
      ...localErrors(draft),
    ]);
    if (spec.resourceAttributes?.namespace !== metadata?.namespace) {
      throw newBadRequest(
        `spec.resourceAttributes.namespace must match namespace: ${metadata?.namespace ?? ''}`,
      );
    }
    return { ...draft, status: answer(spec, subjectOf(spec), authorizer) };
  },
}));

function localErrors({ metadata, spec }: View<LocalSubjectAccessReview>): FieldError[] {
  const errors: FieldError[] = [];
  if ((metadata?.namespace ?? '') === '') errors.push(fieldRequired(FieldPath.of('metadata', 'namespace')));
  if (spec?.nonResourceAttributes !== undefined) {
    errors.push(
      fieldForbidden(FieldPath.of('spec', 'nonResourceAttributes'), 'disallowed on this kind of request'),
    );
  }
  return errors;
}
