// Pieces of TypeScript. Whatever comes from a definition is somebody else's text: it never gets out of the
// comment or the string that it stands in.

/** Lines are broken where our own formatter would break them. */
export const LINE_WIDTH = 110;

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function comment(lines: readonly string[], indent: string): string[] {
  const safe = lines
    .join('\n')
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r?\n|[\u2028\u2029]/)
    .map((line) => line.trimEnd());
  const [first = '', ...others] = safe;
  if (first === '') return [];
  if (others.length === 0) return [`${indent}/** ${first} */`];
  return [
    `${indent}/**`,
    ...safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`),
    `${indent} */`,
  ];
}

/** Text for a comment in which no line begins with a tag: `@internal` would hide the field from a compiler. */
export function withoutTags(text: string): string {
  return text.trim().replaceAll(/^(\s*)@/gm, '$1\\@');
}

/** In single quotes, or in double ones where that needs fewer escapes. */
export function quote(text: string): string {
  const json = JSON.stringify(text).replace(
    /[\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  if (singles > doubles) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : quote(name);
}

/** `my-kind` as `MyKind`: an identifier, whatever the text. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** A union of alternatives, broken if it must be. `lead` stands before it and `tail` after it on the line. */
export function unionText(lead: string, alternatives: readonly string[], tail: string): string[] {
  const line = `${lead} ${alternatives.join(' | ')}${tail}`;
  if (line.length <= LINE_WIDTH || alternatives.length === 1) return [line];
  const last = alternatives.length - 1;
  return [lead, ...alternatives.map((text, at) => `  | ${text}${at === last ? tail : ''}`)];
}

/** A function's head, with each parameter on a line of its own if it must be. */
export function functionHead(name: string, parameters: readonly string[], result: string): string[] {
  const line = `export function ${name}(${parameters.join(', ')}): ${result} {`;
  if (line.length <= LINE_WIDTH) return [line];
  return [`export function ${name}(`, ...parameters.map((parameter) => `  ${parameter},`), `): ${result} {`];
}
