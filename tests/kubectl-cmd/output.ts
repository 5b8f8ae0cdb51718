import { stripVTControlCharacters } from 'node:util';

const LINES = 25;
const COLUMNS = 300;

/** The last lines that a script printed, without colours; with the time that was over, if it was. */
export function endOfOutput(text: string, limitSeconds?: number): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd().slice(0, COLUMNS))
    .filter((line) => line !== '')
    .slice(-LINES);
  return [...lines, ...(limitSeconds === undefined ? [] : [`not done after ${limitSeconds} s`])].join('\n');
}
