import { newAccessDenied, newInternalError } from '@windlass/apimachinery';
import type { Authorizer } from './authorizer.ts';
import { ALL_SERVICE_ACCOUNTS, splitServiceAccountUser } from './service-account-name.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, type UserInfo } from './user.ts';

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

type Headers = Readonly<Record<string, string>>;

/**
 * Who the request is made as: `user` itself, or whom its Impersonate-* headers name when the user may
 * `impersonate` each part of them.
 *
 * Header values that came twice are one text by now, joined by ", ": a group whose name has that in it
 * cannot be impersonated.
 * @throws StatusError 403 when the user may not, 500 when groups are named but no user
 */
export function impersonated(user: UserInfo, headers: Headers, authorizer: Authorizer): UserInfo {
  const name = headers[USER] ?? '';
  const groups = valuesOf(headers[GROUP]);
  const uid = headers[UID] ?? '';
  const extra = extraOf(headers);
  if (name === '') {
    if (groups.length > 0 || uid !== '' || Object.keys(extra).length > 0)
      throw newInternalError(new Error('requested groups, uid or extra without impersonating a user'));
    return user;
  }
  const check = checker(user, authorizer);
  const account = splitServiceAccountUser(name);
  if (account === undefined) check({ resource: 'users', name });
  else check({ resource: 'serviceaccounts', ...account });
  for (const group of groups) check({ resource: 'groups', name: group });
  if (uid !== '') check({ group: AUTHENTICATION_GROUP, resource: 'uids', name: uid });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values)
      check({ group: AUTHENTICATION_GROUP, resource: 'userextras', subresource: key, name: value });
  }
  return {
    name,
    groups: withImpliedGroups(name, groups, account?.namespace),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

interface Asked {
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

function checker(user: UserInfo, authorizer: Authorizer): (asked: Asked) => void {
  return ({ group = '', resource, subresource = '', namespace = '', name }) => {
    const attributes = { verb: 'impersonate', group, resource, subresource, namespace, name };
    const { isAllowed, reason } = authorizer.authorize({
      ...attributes,
      user,
      version: group === '' ? 'v1' : '',
      isResourceRequest: true,
      path: '',
    });
    if (!isAllowed) throw newAccessDenied({ user: user.name, ...attributes }, reason);
  };
}

/** Whoever is somebody is authenticated, and a service account is in the groups of all of its kind. */
function withImpliedGroups(name: string, asked: readonly string[], namespace: string | undefined): string[] {
  const groups = [...asked];
  if (namespace !== undefined && groups.length === 0)
    groups.push(ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`);
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return groups;
  return [...groups, name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED];
}

function extraOf(headers: Headers): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(EXTRA)) continue;
    extra[decode(name.slice(EXTRA.length))] = valuesOf(value);
  }
  return extra;
}

function valuesOf(value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : value.split(', ');
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
