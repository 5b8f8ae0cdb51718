// Which licences the packages that we use may have.

/** Those that let anybody use and pass on a program that contains them, for a notice at most. */
const FOR_ALL: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Also good for what only builds and tests: nobody gets it from us. */
const FOR_TOOLS: ReadonlySet<string> = new Set([...FOR_ALL, 'CC-BY-4.0', 'MPL-2.0']);

/** Whether users get it from us, or it only builds and tests. */
export type Use = 'runtime' | 'tool';

/**
 * Whether a licence, as package.json has it, is allowed: a name, or names with AND and OR in the manner of SPDX. OR is
 * a choice, so one that is allowed is enough. What is not understood is not allowed.
 */
export function isAllowed(licence: string, use: Use): boolean {
  const tokens = licence.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const any = (): boolean => {
    let allowed = all();
    while (tokens[at] === 'OR') {
      at++;
      allowed = all() || allowed;
    }
    return allowed;
  };
  const all = (): boolean => {
    let allowed = one();
    while (tokens[at] === 'AND') {
      at++;
      allowed = one() && allowed;
    }
    return allowed;
  };
  const one = (): boolean => {
    const token = tokens[at++] ?? '';
    if (token !== '(') return (use === 'runtime' ? FOR_ALL : FOR_TOOLS).has(token);
    const allowed = any();
    return tokens[at++] === ')' && allowed;
  };
  const allowed = any();
  return allowed && at === tokens.length;
}
