// What a module of the published types exports, read from the declarations that the compiler wrote. Their form is
// regular: each top-level statement starts in the first column, its comment right before it.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Declaration {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'function' | 'type' | 'const';
  /** The comment, without its stars; empty when there is none. */
  readonly doc: string;
  /** As the compiler wrote it. */
  readonly text: string;
}

const START =
  /^export (?:declare )?(?:abstract )?(class|interface|function|type|const|let) (\w+)|^export (?:declare )?(?:abstract )?(class) (\w+)/;
const REEXPORT = /^export (?:type )?(\*|\{[^}]*\}) from '([^']+)'/;

/** The declarations of one file, by name; several of one name are overloads, or a type and its value. */
export function declarationsOf(text: string): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, Declaration[]>();
  const lines = text.split('\n');
  let doc: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('/**')) {
      const end = lines.findIndex((candidate, index) => index >= at && candidate.includes('*/'));
      doc = lines.slice(at, end + 1);
      at = end;
      continue;
    }
    const start = START.exec(line);
    if (start !== null) {
      const end = statementEnd(lines, at);
      const name = start[2] ?? start[4] ?? '';
      const kind = (start[1] === 'let' ? 'const' : (start[1] ?? 'class')) as Declaration['kind']; // by the pattern
      const declaration = { name, kind, doc: withoutStars(doc), text: lines.slice(at, end + 1).join('\n') };
      found.set(name, [...(found.get(name) ?? []), declaration]);
      at = end;
    }
    doc = [];
  }
  return found;
}

/** Where brackets are balanced again and the line ends a statement. */
function statementEnd(lines: readonly string[], start: number): number {
  let depth = 0;
  let inComment = false;
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trimStart().startsWith('/**')) inComment = true;
    if (!inComment)
      for (const char of line.replaceAll(/'[^']*'|"[^"]*"|\/\/.*$/g, ''))
        depth += '{(['.includes(char) ? 1 : '})]'.includes(char) ? -1 : 0;
    if (line.includes('*/')) inComment = false;
    if (depth === 0 && /[;}]$/.test(line)) return at;
  }
  return lines.length - 1;
}

function withoutStars(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replaceAll(/^[ ]*\*[ ]?/gm, '')
    .trim();
}

/** What the module at `path` exports, followed through every re-export, sorted by name. */
export function exportsOf(path: string): readonly Declaration[] {
  return [...collect(path).values()].flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function collect(path: string): ReadonlyMap<string, readonly Declaration[]> {
  const text = readFileSync(path, 'utf8');
  const all = new Map(declarationsOf(text));
  for (const line of text.replaceAll(/\{\n([^}]*)\}/g, (block) => block.replaceAll('\n', ' ')).split('\n')) {
    const [, what, from] = REEXPORT.exec(line) ?? [];
    if (what === undefined || from === undefined || !from.startsWith('.')) continue;
    const source = collect(join(dirname(path), from.replace(/\.js$/, '.d.ts')));
    if (what === '*') for (const [name, declarations] of source) all.set(name, declarations);
    else
      for (const part of what.slice(1, -1).split(',')) {
        const [original = '', alias = original] = part
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        const declarations = source.get(original.trim());
        if (declarations !== undefined)
          all.set(
            alias.trim(),
            declarations.map((one) => ({ ...one, name: alias.trim() })),
          );
      }
  }
  return all;
}
