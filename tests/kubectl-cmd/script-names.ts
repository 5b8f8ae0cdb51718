/** The checks that stand in the list itself, between the functions; see driver.sh. */
export const BETWEEN = 'between';

/** The functions that `test/cmd/legacy-script.sh` runs, in its order, and first what it checks between them. */
export function scriptNames(legacyScript: string): string[] {
  const names = [...legacyScript.matchAll(/^\s*record_command (run_\w+)\s*$/gm)].map(([, name = '']) => name);
  return [...new Set([BETWEEN, ...names])];
}

/** Those whose names contain one of the texts; all of them without a text. */
export function chooseScripts(names: readonly string[], texts: readonly string[]): string[] {
  return names.filter((name) => texts.length === 0 || texts.some((text) => name.includes(text)));
}
