import type { ParseResult } from 'rolldown/utils';
import { type Edit, OPERATORS } from './operators.ts';
import { isSpared, nameOf, takesText } from './spared.ts';
import { childrenOf, type Position, parseTypeScript, positionsIn, type SyntaxNode } from './syntax.ts';

/** A place in a source together with the mistake that is made there. */
export interface Site extends Position {
  readonly file: string;
  readonly operator: string;
  readonly edit: Edit;
  /** The first line that the edit changes, as it is and as it becomes, without indentation. */
  readonly original: string;
  readonly mutated: string;
}

export type RequiredArguments = ReadonlyMap<string, number>;

/** Every mutant of a source, in the order of the source. A few of them do not parse: see `isValid`. */
export function sitesIn(file: string, source: string, required: RequiredArguments = new Map()): Site[] {
  const sites: Site[] = [];
  const requiredArguments = (name: string): number | undefined => required.get(name);
  const positionAt = positionsIn(source);
  const visit = (node: SyntaxNode, parent: SyntaxNode, inText: boolean): void => {
    if (isSpared(node)) return;
    for (const operator of OPERATORS) {
      const edit = operator.apply(node, { source, parent, inText, requiredArguments });
      if (edit === undefined) continue;
      const { original, mutated } = firstLines(source, edit);
      sites.push({ file, ...positionAt(edit.start), operator: operator.name, edit, original, mutated });
    }
    const textBelow = inText || takesText(node);
    for (const child of childrenOf(node)) visit(child, node, textBelow);
  };
  const { program } = parseTypeScript(file, source);
  for (const node of program.body) visit(node, program, false);
  return sites.sort((a, b) => a.edit.start - b.edit.start);
}

export function applyEdit(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

function firstLines(source: string, edit: Edit): Pick<Site, 'original' | 'mutated'> {
  const start = source.lastIndexOf('\n', edit.start - 1) + 1;
  const lineFrom = (text: string, minimum: number): string => {
    const end = text.indexOf('\n', minimum);
    return text.slice(start, end < 0 ? undefined : end).trim();
  };
  return {
    original: lineFrom(source, edit.start),
    mutated: lineFrom(applyEdit(source, edit), edit.start + edit.text.length),
  };
}

/** Whether the mutant still parses. Operators look at one node only, and a few of their edits need another around it. */
export function isValid({ file, edit }: Site, source: string): boolean {
  try {
    parseTypeScript(file, applyEdit(source, edit));
    return true;
  } catch {
    return false;
  }
}

/**
 * How many arguments each function and method of `sources` needs, by its name. A name with several meanings is left
 * out, so that dropping an argument never breaks a call that needs it.
 */
export function requiredArgumentsOf(programs: Iterable<ParseResult['program']>): RequiredArguments {
  const found = new Map<string, Set<number>>();
  const note = (name: string, parameters: readonly SyntaxNode[]): void => {
    const needed = parameters.findIndex(isOptional);
    const counts = found.get(name) ?? new Set();
    found.set(name, counts.add(needed < 0 ? parameters.length : needed));
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'FunctionDeclaration' && node.id !== null) note(node.id.name, node.params);
    if (node.type === 'MethodDefinition') note(nameOf(node.key), node.value.params);
    if (node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression')
      note(nameOf(node.id), node.init.params);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const program of programs) visit(program);
  const single = [...found].filter(([name, counts]) => name !== '' && counts.size === 1);
  return new Map(single.map(([name, counts]) => [name, Math.min(...counts)]));
}

function isOptional(parameter: SyntaxNode): boolean {
  if (parameter.type === 'AssignmentPattern') return true;
  return 'optional' in parameter && parameter.optional === true;
}
