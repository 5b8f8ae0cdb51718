const KEYWORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const PARTS: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name that an expression has for a field; undefined when it can have none. */
export function escapedName(name: string): string | undefined {
  if (KEYWORDS.has(name)) return escapedKeyword(name);
  const escaped = name.replaceAll(/__|[.\-/]/g, (part) => PARTS[part] ?? part);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/** What a keyword is called as a field. */
export const escapedKeyword = (name: string): string => `__${name}__`;

/**
 * All names that an expression has for a field: of one that is called like a keyword, such as `namespace`, also its own.
 * Servers take that one since 1.31.
 */
export function namesFor(name: string): string[] {
  const escaped = escapedName(name);
  if (escaped === undefined) return [];
  return KEYWORDS.has(name) ? [escaped, name] : [escaped];
}
