import { InvalidArgumentError } from '@windlass/base';
import type { StaticToken } from './static-tokens.ts';

const COLUMNS = 3;

/**
 * The tokens of a file as kube-apiserver's `--token-auth-file` reads it: lines of `token,user,uid` and, if the user has
 * groups, a fourth column `"group,group"`. A line without a token is left out, as upstream does.
 */
export function parseTokenFile(text: string): StaticToken[] {
  const tokens: StaticToken[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const columns = columnsOf(line);
    if (columns.length < COLUMNS)
      throw new InvalidArgumentError(
        `line ${index + 1} of the token file`,
        `${columns.length} columns`,
        'at least 3 columns: token, user name, user uid',
      );
    const [token = '', user = '', uid = '', groups = ''] = columns;
    if (token === '') continue;
    tokens.push({
      token,
      user,
      ...(uid !== '' && { uid }),
      ...(groups !== '' && { groups: groups.split(',') }),
    });
  }
  return tokens;
}

/** The columns of one line of comma-separated values. A quoted column may have commas, and quotes as `""`. */
function columnsOf(line: string): string[] {
  const columns: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    columns.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  return columns;
}
