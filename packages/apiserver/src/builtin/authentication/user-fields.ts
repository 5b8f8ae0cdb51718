import type { UserInfo as UserFields } from '@windlass/apimachinery/api/authentication/v1';
import type { UserInfo } from '../../access/user.ts';
import type { View } from '../../resource/views.ts';

/** A user as reviews show it. */
export function userFields({ name, uid, groups, extra }: UserInfo): View<UserFields> {
  return {
    username: name,
    ...(uid !== undefined && uid !== '' && { uid }),
    groups,
    ...(extra !== undefined && { extra }),
  };
}
