import {
  BOOTSTRAP_TOKEN_TYPE,
  BOOTSTRAP_TOKEN_USAGES,
  type BootstrapTokenText,
  type BootstrapTokenUsage,
  bootstrapTokenData,
  bootstrapTokenSecretName,
  formatTime,
  isBootstrapGroup,
  NODE_TOKEN_GROUP,
  parseBootstrapToken,
} from '@windlass/apimachinery';
import type { Secret } from '@windlass/apimachinery/api/core/v1';
import type { Random } from '@windlass/base';
import { UsageError } from '../command-line/exit.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 6;
const SECRET_LENGTH = 16;

/** A token that nobody can guess. */
export function randomToken(random: Random): BootstrapTokenText {
  const letters = (length: number): string =>
    Array.from({ length }, () => LETTERS[random.int(LETTERS.length)]).join('');
  return { id: letters(ID_LENGTH), secret: letters(SECRET_LENGTH) };
}

/** @throws UsageError, which does not repeat the token */
export function tokenOf(text: string, what = 'a token'): BootstrapTokenText {
  const token = parseBootstrapToken(text);
  if (token !== undefined) return token;
  throw new UsageError(
    `${what} must be 6 and 16 of a-z and 0-9 with a dot between them, such as abcdef.0123456789abcdef, but this one is not`,
  );
}

/** `signing,authentication` @throws UsageError */
export function usagesOf(text: string): BootstrapTokenUsage[] {
  return text.split(',').map((name) => {
    const usage = BOOTSTRAP_TOKEN_USAGES.find((one) => one === name);
    if (usage !== undefined) return usage;
    throw new UsageError(`--usages must name some of ${BOOTSTRAP_TOKEN_USAGES.join()}, but it has "${name}"`);
  });
}

/** Groups besides the one that everybody with a token has. @throws UsageError */
export function groupsOf(texts: readonly string[] | undefined): string[] {
  const groups = (texts ?? [NODE_TOKEN_GROUP]).flatMap((text) => text.split(','));
  for (const group of groups)
    if (!isBootstrapGroup(group))
      throw new UsageError(
        `--groups must be groups such as ${NODE_TOKEN_GROUP}, which begin with system:bootstrappers:, but it has "${group}"`,
      );
  return groups;
}

/** What a new token is to be. */
export interface NewToken {
  readonly token: BootstrapTokenText;
  readonly usages: readonly BootstrapTokenUsage[];
  readonly groups: readonly string[];
  readonly description: string;
  /** In milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined;
}

/** The secret in which it is. */
export function tokenSecret({ token, usages, groups, description, expiresAt }: NewToken): Secret {
  const expiration = expiresAt === undefined ? undefined : formatTime(expiresAt);
  // Without the right to authenticate there is nobody to be in a group.
  const extraGroups = usages.includes('authentication') ? groups : [];
  return {
    metadata: { name: bootstrapTokenSecretName(token.id), namespace: 'kube-system' },
    type: BOOTSTRAP_TOKEN_TYPE,
    stringData: bootstrapTokenData({ ...token, usages, extraGroups, description }, expiration),
  };
}
