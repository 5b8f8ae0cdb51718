import { newBadRequest } from '@windlass/apimachinery';
import {
  SelfSubjectRulesReview,
  type SubjectRulesReviewStatus,
} from '@windlass/apimachinery/api/authorization/v1';
import type { View } from '../../../resource/views.ts';
import type { GrantedRule } from '../../builtin-services.ts';
import { defineKind } from '../../define-kind.ts';

/** Not served where nobody can tell all that a user may do. */
export const selfSubjectRulesReview = defineKind(SelfSubjectRulesReview, ({ rules }) => {
  if (rules === undefined) return {};
  return {
    async review(draft, { user }) {
      const { namespace = '' } = draft.spec ?? {};
      if (namespace === '') throw newBadRequest('no namespace on request');
      return { ...draft, status: statusOf(rules.rulesFor(user, namespace)) };
    },
  };
});

function statusOf(granted: readonly GrantedRule[]): View<SubjectRulesReviewStatus> {
  return {
    resourceRules: granted
      .filter(({ resources = [] }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...(apiGroups !== undefined && { apiGroups }),
        ...(resources !== undefined && { resources }),
        ...(resourceNames !== undefined && resourceNames.length > 0 && { resourceNames }),
      })),
    nonResourceRules: granted
      .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, ...(nonResourceURLs && { nonResourceURLs }) })),
    incomplete: false,
  };
}
