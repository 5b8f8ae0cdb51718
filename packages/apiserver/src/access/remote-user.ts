// Who asks, on its way from this server to one that trusts it, and from a proxy that this server trusts.
import type { UserInfo } from './user.ts';

/** Header lines in order: name, value, name, value. */
export type RawHeaders = readonly string[];

export const REMOTE_USER = 'x-remote-user';
export const REMOTE_UID = 'x-remote-uid';
export const REMOTE_GROUP = 'x-remote-group';
export const REMOTE_EXTRA = 'x-remote-extra-';

/** Which characters a header name may have, but for `%`, which escapes the others. */
const PLAIN = /[!#$&'*+.0-9A-Z^_`a-z|~-]/;

/** True for headers that say who asks: what a client sent by such a name must not go on. */
export function isRemoteUserHeader(name: string): boolean {
  return (
    name === REMOTE_USER || name === REMOTE_UID || name === REMOTE_GROUP || name.startsWith(REMOTE_EXTRA)
  );
}

/** By name; values are byte strings, as Node takes them. */
export function remoteUserHeaders({
  name,
  uid = '',
  groups,
  extra = {},
}: UserInfo): Record<string, string | string[]> {
  return {
    [REMOTE_USER]: bytesOf(name),
    ...(uid !== '' && { [REMOTE_UID]: bytesOf(uid) }),
    ...(groups.length > 0 && { [REMOTE_GROUP]: groups.map(bytesOf) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [REMOTE_EXTRA + escapeKey(key), values.map(bytesOf)]),
    ),
  };
}

/**
 * Who a trusted proxy says is asking; undefined when it says nobody. From the lines as they came: a joined header would
 * make two groups of one that has a comma in its name.
 */
export function remoteUserOf(lines: RawHeaders): UserInfo | undefined {
  let name = '';
  let uid = '';
  const groups: string[] = [];
  const extra: Record<string, string[]> = {};
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const header = (lines[index] ?? '').toLowerCase();
    const value = textOf(lines[index + 1] ?? '');
    if (header === REMOTE_USER) name ||= value;
    else if (header === REMOTE_UID) uid ||= value;
    else if (header === REMOTE_GROUP) {
      if (value !== '') groups.push(value);
    } else if (header.startsWith(REMOTE_EXTRA)) {
      const key = unescapeKey(header.slice(REMOTE_EXTRA.length));
      extra[key] = [...(extra[key] ?? []), value];
    }
  }
  if (name === '') return undefined;
  return {
    name,
    groups,
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function escapeKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The bytes of UTF-8, one character each. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
