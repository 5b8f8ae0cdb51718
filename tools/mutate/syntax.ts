// The syntax tree of a TypeScript source, by the parser of the bundler that builds the package.
import { type ESTree, type ParseResult, parseSync } from 'rolldown/utils';

export type SyntaxNode = ESTree.Node;

/** Parses TypeScript. Broken syntax throws, because nothing found in such a tree could be trusted. */
export function parseTypeScript(file: string, source: string): ParseResult {
  const parsed = parseSync(file, source, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  const [first] = parsed.errors;
  if (first !== undefined) throw new SyntaxError(`${file} does not parse: ${first.message}`);
  return parsed;
}

/** The nodes directly below `node`, in the order of their fields. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) found.push(...value.filter(isNode));
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** `(x)` and `x as T` are `x` when it comes to what is computed. */
export function withoutWrapping(node: SyntaxNode): SyntaxNode {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return withoutWrapping(node.expression);
    default:
      return node;
  }
}

/** Lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of an offset in `source`. Building costs one pass; each question a binary search. */
export function positionsIn(source: string): (offset: number) => Position {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    // The line is how many lines start at or before the offset.
    let line = 0;
    for (let end = starts.length; line < end; ) {
      const middle = (line + end) >>> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle + 1;
      else end = middle;
    }
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
