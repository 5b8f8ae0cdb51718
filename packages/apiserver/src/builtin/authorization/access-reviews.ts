// What the three kinds of access reviews have in common: a question, and who asks or is asked about.
import { type FieldError, FieldPath, fieldInvalid, newInvalid } from '@windlass/apimachinery';
import {
  type SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
  type SubjectAccessReviewSpec,
  type SubjectAccessReviewStatus,
} from '@windlass/apimachinery/api/authorization/v1';
import type { AccessAttributes, Authorizer } from '../../access/authorizer.ts';
import type { UserInfo } from '../../access/user.ts';
import type { View } from '../../resource/views.ts';

type Question = View<SelfSubjectAccessReviewSpec>;
type Spec = View<SubjectAccessReviewSpec>;

const SPEC = FieldPath.of('spec');

/** @throws StatusError (422) when there are any errors */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw newInvalid({ group: SubjectAccessReview.group, kind }, '', errors);
}

export function subjectErrors({ user = '', groups }: Spec): FieldError[] {
  if (user !== '' || (groups ?? []).length > 0) return [];
  return [fieldInvalid(SPEC.child('user'), '', 'at least one of user or group must be specified')];
}

export function questionErrors({ resourceAttributes, nonResourceAttributes }: Question): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    return [
      fieldInvalid(
        SPEC.child('nonResourceAttributes'),
        nonResourceAttributes,
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    return [
      fieldInvalid(
        SPEC.child('resourceAttributes'),
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ];
  }
  return [];
}

/** Whom a review asks about. */
export function subjectOf({ user = '', groups, uid = '', extra }: Spec): UserInfo {
  return { name: user, groups: groups ?? [], ...(uid !== '' && { uid }), ...(extra && { extra }) };
}

export function answer(
  question: Question,
  user: UserInfo,
  authorizer: Authorizer,
): View<SubjectAccessReviewStatus> {
  const { isAllowed, reason } = authorizer.authorize(attributesOf(question, user));
  return { allowed: isAllowed, ...(reason !== '' && { reason }) };
}

function attributesOf(question: Question, user: UserInfo): AccessAttributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = question;
  return {
    user,
    verb: (resource ?? other)?.verb ?? '',
    isResourceRequest: resource !== undefined,
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    path: other?.path ?? '',
  };
}
