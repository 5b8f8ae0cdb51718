import type { AccessAttributes, AccessDecision, Authorizer } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import type { RbacIndex } from './rbac-index.ts';

/** What a user may do in a namespace, for SelfSubjectRulesReview and for escalation checks. */
export interface RuleSource {
  rulesFor(user: UserInfo, namespace: string): PolicyRule[];
}

/** Allows what a role allows that is bound to the user or to one of its groups. Never denies for good. */
export class RbacAuthorizer implements Authorizer, RuleSource {
  readonly #index: RbacIndex;

  constructor(index: RbacIndex) {
    this.#index = index;
  }

  authorize(attributes: AccessAttributes): AccessDecision {
    const namespace = attributes.isResourceRequest ? attributes.namespace : '';
    for (const { rules, because } of this.#index.grantsOf(attributes.user, namespace)) {
      for (const rule of rules) {
        if (ruleAllows(rule, attributes)) return { isAllowed: true, reason: because() };
      }
    }
    return { isAllowed: false, reason: '' };
  }

  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.#index.grantsOf(user, namespace)].flatMap(({ rules }) => [...rules]);
  }
}
