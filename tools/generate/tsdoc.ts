// A description of the API as a TSDoc comment. The texts are somebody else's prose: nothing in them ends the comment,
// becomes a tag, or is taken for markup.

/** Lines are broken where our own formatter would break code. */
const LINE_WIDTH = 110;

/** Paragraphs are taken as long as all have no more characters than this; the first is cut at the end of a sentence. */
const BUDGET = 500;

/** Stands where the description goes on. */
const MORE = ' …';

/** Where one is in a description, its other end is in another paragraph. */
const FENCE = '```';

const CODE = /^(?:\t| {4})/;

/** The end of a sentence, and not of an abbreviation. */
const SENTENCE = /(?<!\b(?:e\.g|i\.e|etc|vs))\.(?= )/g;

/** Where the values of a string begin. What is said of them is not said of the field. */
const VALUES = 'Possible enum values:';

/** The ways in which descriptions call their own subject deprecated, from where the sentence begins. */
const DEPRECATED: readonly RegExp[] = [
  /(?<=^|\s)(?:Deprecated|DEPRECATED)[:.]\s+/,
  /(?<=^|\. )This (?:field|API) is deprecated\b/,
  /(?<=^|\. )The field is never populated, and now is deprecated\b/,
  /(?<=^|\. )\w+ is (?:the|a) deprecated (?:field|alias)\b/,
];

/** The lines of the comment, each with its line break; empty when there is nothing to say. */
export function tsdoc(description: string, indent: string): string {
  const width = LINE_WIDTH - indent.length - ' * '.length;
  const lines = commentLines(description, width);
  const [first, ...others] = lines;
  if (first === undefined) return '';
  const line = `${indent}/** ${first} */`;
  if (others.length === 0 && line.length <= LINE_WIDTH) return `${line}\n`;
  const body = lines.map((text) => `${indent} *${text === '' ? '' : ` ${text}`}\n`).join('');
  return `${indent}/**\n${body}${indent} */\n`;
}

function commentLines(description: string, width: number): string[] {
  const [prose = '', values = ''] = description.split(VALUES);
  const { rest, reason } = splitDeprecation(prose.trim().split(/\n\s*\n/));
  const blocks = withinBudget(rest).map((paragraph) => paragraphLines(paragraph, width));
  blocks.push(valueLines(values, width));
  if (reason !== '') blocks.push(wrap(`@deprecated ${escapeText(cut(reason))}`, width, ''));
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

/** Why it is deprecated, from where that is said to the end of its paragraph, and all else. */
function splitDeprecation(paragraphs: readonly string[]): { rest: string[]; reason: string } {
  for (const [at, paragraph] of paragraphs.entries())
    for (const pattern of DEPRECATED) {
      const found = pattern.exec(paragraph);
      if (found === null) continue;
      const marker = /^deprecated/i.test(found[0]) && /[:.]\s+$/.test(found[0]) ? found[0].length : 0;
      return {
        rest: paragraphs.with(at, paragraph.slice(0, found.index).trim()),
        reason: paragraph.slice(found.index + marker).replaceAll(/\s+/g, ' '),
      };
    }
  return { rest: [...paragraphs], reason: '' };
}

function withinBudget(paragraphs: readonly string[]): string[] {
  const all = paragraphs.filter((paragraph) => paragraph.trim() !== '');
  const taken: string[] = [];
  let length = 0;
  for (const paragraph of all) {
    length += paragraph.length;
    if (taken.length > 0 && (length > BUDGET || paragraph.includes(FENCE))) break;
    taken.push(cut(paragraph));
  }
  const last = taken.at(-1);
  if (last === undefined || taken.length === all.length || last.endsWith(MORE)) return taken;
  return taken.with(taken.length - 1, `${last}${endsInCode(last) ? '\n…' : MORE}`);
}

/** Ends with a sentence, or else with a word. */
function cut(text: string): string {
  if (text.length <= BUDGET) return text;
  const start = text.slice(0, BUDGET);
  const sentence = [...start.matchAll(SENTENCE)].at(-1);
  return `${start.slice(0, sentence === undefined ? start.lastIndexOf(' ') : sentence.index + 1)}${MORE}`;
}

const endsInCode = (paragraph: string): boolean =>
  CODE.test(paragraph.slice(paragraph.lastIndexOf('\n') + 1));

/** A line break in a description is meant, and what a tab or four spaces begin is code. */
function paragraphLines(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let isCode = false;
  for (const line of paragraph.split('\n')) {
    const isNext = CODE.test(line);
    if (isNext !== isCode) lines.push(FENCE);
    isCode = isNext;
    if (isCode) lines.push(closed(line.replaceAll('\t', '  ').trimEnd()));
    else lines.push(...wrap(escapeText(line.trim()), width, /^\s*[-*] /.test(line) ? '  ' : ''));
  }
  return isCode ? [...lines, FENCE] : lines;
}

/** The type lists the values. Here are those of which more is said than their names. */
function valueLines(values: string, width: number): string[] {
  return [...values.matchAll(/^ - (`"[^`]*"`) +(\S[^\n]*)$/gm)].flatMap(([, value = '', meaning = '']) =>
    wrap(`- ${closed(value)}: ${escapeText(cut(meaning))}`, width, '  '),
  );
}

/** Never begins a line with what Markdown takes for an item, a heading or a quotation. */
function wrap(text: string, width: number, hanging: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    const fits = line.length + 1 + word.length <= width;
    if (line === '') line = word;
    else if (fits || /^(?:[-+*…]|#+|\\?>|\d+[.)])$/.test(word)) line += ` ${word}`;
    else {
      lines.push(line);
      line = `${hanging}${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** As it stands, but for what TSDoc would take for markup. What is between backticks is text already. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, at) => closed(at % 2 === 1 ? part : part.replaceAll(/[\\{}<>@`]/g, String.raw`\$&`)))
    .join('');
}

/** The comment ends where we end it. */
const closed = (text: string): string => text.replaceAll('*/', String.raw`*\/`);
