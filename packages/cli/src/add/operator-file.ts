// src/operator.ts of a project: what is in it, and how lines are added to it.
import { UsageError } from '../command-line/exit.ts';
import { MARKS } from '../new/template/operator.ts';

export const OPERATOR_FILE = 'src/operator.ts';

export type Place = keyof typeof MARKS;

/**
 * The text with more lines, each before the mark of its place and as deep as that.
 * @throws UsageError when a mark is not there
 */
export function withLines(text: string, lines: Readonly<Partial<Record<Place, string>>>): string {
  let result = text;
  for (const [place, mark] of Object.entries(MARKS)) {
    // The keys of the marks are the places.
    const line = lines[place as Place];
    if (line === undefined) continue;
    const found = new RegExp(`^( *)${mark}$`, 'm').exec(result);
    if (found === null)
      throw new UsageError(
        `${OPERATOR_FILE} has no line "${mark}"; put it back where the ${place} are, and try again`,
      );
    const [whole, indent = ''] = found;
    result = `${result.slice(0, found.index)}${indent}${line}\n${whole}${result.slice(found.index + whole.length)}`;
  }
  return result;
}

/** The module that a name is imported from; undefined when it is not imported. */
export function importedFrom(text: string, name: string): string | undefined {
  for (const [, names = '', module] of text.matchAll(/^import(?: type)? \{([^}]*)\} from '([^']+)';?$/gm))
    if (names.split(',').some((one) => one.trim() === name)) return module;
  return undefined;
}

/** The operator's name, as the file exports it. */
export function operatorNameIn(text: string): string | undefined {
  return /^export const name = '([^']+)';?$/m.exec(text)?.[1];
}
