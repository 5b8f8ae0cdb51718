import {
  type FieldError,
  FieldPath,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  formatTime,
  isUnauthorized,
  newBadRequest,
  newInvalid,
} from '@windlass/apimachinery';
import type { AccessAttributes } from '../../access/authorizer.ts';
import type { UserInfo } from '../../access/user.ts';
import type { Draft } from '../../resource/strategy.ts';
import type { KindRules } from '../kind-rules.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import type { BuiltinServices, TokenChecker } from '../services.ts';
import { type Fields, objectAt } from '../values.ts';

type Review = NonNullable<KindRules['review']>;

/** Questions that are answered at once and never stored. */
export function reviews(services: BuiltinServices): Readonly<Record<string, KindRules>> {
  const { tokenCheckers, rules } = services;
  return {
    'authentication.k8s.io/v1/SelfSubjectReview': {
      review: async (draft, { user, clock }) => ({
        ...draft,
        metadata: { creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: userFields(user) },
      }),
    },
    ...(tokenCheckers !== undefined && {
      'authentication.k8s.io/v1/TokenReview': { review: tokenReview(tokenCheckers) },
    }),
    'authorization.k8s.io/v1/SubjectAccessReview': {
      review: async (draft) => {
        const spec = objectAt(draft, 'spec') ?? {};
        check(draft, [...subjectErrors(spec), ...attributeErrors(spec)]);
        return answered(services, draft, subjectOf(spec));
      },
    },
    'authorization.k8s.io/v1/LocalSubjectAccessReview': {
      review: async (draft) => {
        const spec = objectAt(draft, 'spec') ?? {};
        check(draft, [...subjectErrors(spec), ...attributeErrors(spec), ...localErrors(draft, spec)]);
        const asked = objectAt(spec, 'resourceAttributes')?.['namespace'];
        if (asked !== draft.metadata?.namespace) {
          throw newBadRequest(
            `spec.resourceAttributes.namespace must match namespace: ${draft.metadata?.namespace ?? ''}`,
          );
        }
        return answered(services, draft, subjectOf(spec));
      },
    },
    'authorization.k8s.io/v1/SelfSubjectAccessReview': {
      review: async (draft, { user }) => {
        check(draft, attributeErrors(objectAt(draft, 'spec') ?? {}));
        return answered(services, draft, user);
      },
    },
    ...(rules !== undefined && {
      'authorization.k8s.io/v1/SelfSubjectRulesReview': {
        review: async (draft: Draft, { user }: { readonly user: UserInfo }) => {
          const namespace = textAt(objectAt(draft, 'spec'), 'namespace');
          if (namespace === '') throw newBadRequest('no namespace on request');
          const granted = rules.rulesFor(user, namespace);
          return {
            ...draft,
            status: {
              resourceRules: granted
                .filter(({ resources = [] }) => resources.length > 0)
                .map(({ verbs, apiGroups, resources, resourceNames }) => ({
                  verbs,
                  apiGroups,
                  resources,
                  ...(resourceNames !== undefined && resourceNames.length > 0 && { resourceNames }),
                })),
              nonResourceRules: granted
                .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
                .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
              incomplete: false,
            },
          };
        },
      },
    }),
  };
}

function check(draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw newInvalid({ group: 'authorization.k8s.io', kind: draft.kind ?? '' }, '', errors);
}

function tokenReview(checkers: readonly TokenChecker[]): Review {
  return async (draft) => {
    const spec = objectAt(draft, 'spec');
    const token = textAt(spec, 'token');
    if (token === '') throw newBadRequest('token is required for TokenReview in authentication');
    return { ...draft, status: await tokenStatus(checkers, token, textsAt(spec, 'audiences')) };
  };
}

async function tokenStatus(
  checkers: readonly TokenChecker[],
  token: string,
  audiences: readonly string[],
): Promise<object> {
  try {
    for (const checker of checkers) {
      const known = await checker.authenticateToken(token, audiences);
      if (known === undefined) continue;
      return {
        authenticated: true,
        user: userFields(known.user),
        ...(known.audiences !== undefined && { audiences: known.audiences }),
      };
    }
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return { user: {}, error: '[invalid bearer token, Unauthorized]' };
  }
  return { user: {}, error: 'invalid bearer token' };
}

function userFields({ name, uid, groups, extra }: UserInfo): object {
  return {
    username: name,
    ...(uid !== undefined && uid !== '' && { uid }),
    groups,
    ...(extra !== undefined && { extra }),
  };
}

function subjectOf(spec: Fields): UserInfo {
  const extra = objectAt(spec, 'extra');
  const uid = textAt(spec, 'uid');
  return {
    name: textAt(spec, 'user'),
    groups: textsAt(spec, 'groups'),
    ...(uid !== '' && { uid }),
    // The schema makes them lists of texts.
    ...(extra !== undefined && { extra: extra as Record<string, string[]> }),
  };
}

function subjectErrors(spec: Fields): FieldError[] {
  if (textAt(spec, 'user') !== '' || textsAt(spec, 'groups').length > 0) return [];
  return [fieldInvalid(FieldPath.of('spec', 'user'), '', 'at least one of user or group must be specified')];
}

function attributeErrors(spec: Fields): FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  if (resource !== undefined && path !== undefined) {
    return [
      fieldInvalid(
        FieldPath.of('spec', 'nonResourceAttributes'),
        path,
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (resource === undefined && path === undefined) {
    return [
      fieldInvalid(
        FieldPath.of('spec', 'resourceAttributes'),
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ];
  }
  return [];
}

function localErrors(draft: Draft, spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if ((draft.metadata?.namespace ?? '') === '')
    errors.push(fieldRequired(FieldPath.of('metadata', 'namespace')));
  if (objectAt(spec, 'nonResourceAttributes') !== undefined) {
    errors.push(
      fieldForbidden(FieldPath.of('spec', 'nonResourceAttributes'), 'disallowed on this kind of request'),
    );
  }
  return errors;
}

function answered({ authorizer }: BuiltinServices, draft: Draft, user: UserInfo): object {
  const { isAllowed, reason } = authorizer.authorize(attributesOf(objectAt(draft, 'spec') ?? {}, user));
  return { ...draft, status: { allowed: isAllowed, ...(reason !== '' && { reason }) } };
}

function attributesOf(spec: Fields, user: UserInfo): AccessAttributes {
  const resource = objectAt(spec, 'resourceAttributes');
  const other = objectAt(spec, 'nonResourceAttributes');
  return {
    user,
    verb: textAt(resource ?? other, 'verb'),
    isResourceRequest: resource !== undefined,
    group: textAt(resource, 'group'),
    version: textAt(resource, 'version'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
    path: textAt(other, 'path'),
  };
}
