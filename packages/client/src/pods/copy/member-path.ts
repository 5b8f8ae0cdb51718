import { CopyError } from './copy-error.ts';

/**
 * Where a member of a received archive belongs, as names below what was asked for: none for that itself.
 * @throws CopyError when it was not asked for, or would lead out of it
 */
export function memberPath(path: string, root: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const [first, ...below] = root === '.' ? [root, ...names] : names;
  if (
    path.startsWith('/') ||
    names.includes('..') ||
    first !== root ||
    path.includes('\\') ||
    path.includes('\0')
  )
    throw new CopyError(
      `the container sent the file ${JSON.stringify(path)}, which is not within what was asked for; nothing of it was written`,
      { code: 'COPY_REFUSED' },
    );
  return below;
}

/**
 * Why a link is not made: undefined when it stays within the folder, whatever other links of the same archive it passes.
 * A `..` after a name could lead out by way of such a link, so they may stand only at the beginning.
 */
export function linkProblem(target: string, depth: number): string | undefined {
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const up = names.findIndex((name) => name !== '..');
  const ups = up === -1 ? names.length : up;
  if (target.startsWith('/') || target.includes('\\'))
    return `it is a link to ${target}, which leads out of the folder`;
  if (ups > depth - 1) return `it is a link to ${target}, which leads out of the folder`;
  return names.includes('..', ups)
    ? `it is a link to ${target}, which could lead out of the folder`
    : undefined;
}
