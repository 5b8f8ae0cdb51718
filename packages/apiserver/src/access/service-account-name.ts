import { AUTHENTICATED } from './user.ts';

const PREFIX = 'system:serviceaccount:';
export const ALL_SERVICE_ACCOUNTS = 'system:serviceaccounts';

/** `system:serviceaccount:NAMESPACE:NAME`. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`;
}

export function splitServiceAccountUser(
  user: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(PREFIX.length).split(':');
  return namespace === '' || name === '' || rest.length > 0 ? undefined : { namespace, name };
}

/** Every service account is in these groups. */
export function serviceAccountGroups(namespace: string): string[] {
  return [ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`, AUTHENTICATED];
}
