import type { BuiltinKind } from '../define-kind.ts';
import { selfSubjectReview } from './self-subject-review/index.ts';
import { tokenReview } from './token-review/index.ts';

export const authenticationKinds: readonly BuiltinKind[] = [selfSubjectReview, tokenReview];
