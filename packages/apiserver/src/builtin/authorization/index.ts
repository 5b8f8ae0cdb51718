import type { BuiltinKind } from '../define-kind.ts';
import { localSubjectAccessReview } from './local-subject-access-review/index.ts';
import { selfSubjectAccessReview } from './self-subject-access-review/index.ts';
import { selfSubjectRulesReview } from './self-subject-rules-review/index.ts';
import { subjectAccessReview } from './subject-access-review/index.ts';

export const authorizationKinds: readonly BuiltinKind[] = [
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
];
