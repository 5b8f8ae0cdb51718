// A cast tells the compiler something that it cannot check. Each one in the sources needs a comment that says why it is
// true: on its line, on the line above it, or above the statement or property that it is part of. The comment above a
// function tells what the function does, and so explains no cast in it.
import { childrenOf, parseTypeScript, positionsIn, type SyntaxNode } from './mutate/syntax.ts';

export interface Cast {
  readonly line: number;
  readonly text: string;
}

/** The casts of a source that no comment explains. `as const` is none. */
export function unexplainedCasts(file: string, source: string): Cast[] {
  if (!MAY_CAST.test(source)) return [];
  const { program, comments } = parseTypeScript(file, source);
  const positionAt = positionsIn(source);
  const lineAt = (offset: number): number => positionAt(offset).line;
  const commented = new Set<number>();
  const explainsBelow = new Set<number>();
  for (const { start, end } of comments) {
    const last = lineAt(end);
    for (let line = lineAt(start); line <= last; line++) commented.add(line);
    if (!FINISHED.test(source.slice(source.lastIndexOf('\n', start) + 1, start))) explainsBelow.add(last);
  }

  const found: Cast[] = [];
  const visit = (node: SyntaxNode, enclosing: Enclosing): void => {
    const line = lineAt(node.start);
    const here = isFunction(node)
      ? { functionLine: line, partLine: undefined }
      : isPart(node)
        ? { ...enclosing, partLine: line }
        : enclosing;
    if (isCast(node)) {
      const { functionLine, partLine = line } = enclosing;
      const isExplained =
        commented.has(line) ||
        commented.has(lineAt(node.end)) ||
        [line, partLine].some((place) => place !== functionLine && explainsBelow.has(place - 1));
      if (!isExplained) found.push({ line, text: oneLine(source.slice(node.start, node.end)) });
    }
    for (const child of childrenOf(node)) visit(child, here);
  };
  visit(program, { functionLine: undefined, partLine: undefined });
  return found;
}

/** A source without any of these has no cast, and need not be parsed. */
const MAY_CAST = /\bas\b|!|</;

/** A comment that ends a line like this speaks of that line, not of the next. */
const FINISHED = /[;,{}]\s*$/;

interface Enclosing {
  /** Where the innermost function with a name of its own begins. */
  readonly functionLine: number | undefined;
  /** Where the innermost statement or property begins, within that function. */
  readonly partLine: number | undefined;
}

function isFunction({ type }: SyntaxNode): boolean {
  return type === 'FunctionDeclaration' || type === 'MethodDefinition' || type === 'ClassDeclaration';
}

/** Whether a comment above the node speaks of all that is in it. */
function isPart({ type }: SyntaxNode): boolean {
  return (
    type.endsWith('Statement') ||
    type === 'VariableDeclaration' ||
    type === 'PropertyDefinition' ||
    type === 'Property'
  );
}

function isCast(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return true;
    case 'TSAsExpression':
      return !isConst(node.typeAnnotation);
    default:
      return false;
  }
}

function isConst(type: SyntaxNode): boolean {
  return (
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const'
  );
}

const MAX_TEXT = 80;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
