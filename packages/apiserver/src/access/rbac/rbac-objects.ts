import type { LabelSelectorObject } from '@windlass/apimachinery';
import type { PolicyRule } from './policy-rule.ts';

/** Roles and bindings as the API has them, as far as access is concerned. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';

interface Named {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface RoleObject extends Named {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelectorObject[] };
}

export interface RoleReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface BindingObject extends Named {
  readonly roleRef: RoleReference;
  readonly subjects?: readonly Subject[];
}
