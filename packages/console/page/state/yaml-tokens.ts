// Enough of YAML to colour what our own encoder writes. What it does not understand is plain text, never lost.

export interface Token {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark' | 'comment' | 'plain';
}

const LINE = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#'"[{][^:#]*?|[^\s'"#][^\s]*?)(:)(\s.*)?$/;

/** The tokens of each line. The texts of a line are the line. */
export function yamlTokens(text: string): Token[][] {
  const lines: Token[][] = [];
  let blockIndent = -1;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const indent = line.length - line.trimStart().length;
    if (blockIndent >= 0 && (line.trim() === '' || indent > blockIndent)) {
      lines.push([{ text: line, kind: 'string' }]);
      continue;
    }
    blockIndent = -1;
    const tokens = lineTokens(line);
    if (/(?::|-)\s+[|>][+-]?\d*\s*$/.test(line)) blockIndent = indent;
    lines.push(tokens);
  }
  return lines;
}

function lineTokens(line: string): Token[] {
  const match = LINE.exec(line);
  if (match === null) {
    const [, lead = '', rest = ''] = /^(\s*(?:- )*)(.*)$/.exec(line) ?? [];
    return [...mark(lead), ...valueTokens(rest)];
  }
  const [, lead = '', key = '', colon = '', value = ''] = match;
  return [...mark(lead), { text: key, kind: 'key' }, { text: colon, kind: 'mark' }, ...valueTokens(value)];
}

function mark(text: string): Token[] {
  return text === '' ? [] : [{ text, kind: 'mark' }];
}

function valueTokens(value: string): Token[] {
  if (value === '') return [];
  const trimmed = value.trim();
  return [{ text: value, kind: kindOf(trimmed) }];
}

function kindOf(value: string): Token['kind'] {
  if (value.startsWith('#')) return 'comment';
  if (/^(?:true|false|null|~)$/.test(value)) return 'word';
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return 'number';
  if (/^(?:[|>][+-]?\d*|\[\]|\{\}|-)$/.test(value)) return 'mark';
  return 'string';
}
