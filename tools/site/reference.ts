// The API reference: one page of Markdown for each subpath of the published package.
import { anchorOf } from './anchor.ts';
import type { Declaration } from './declarations.ts';

const KINDS: readonly (readonly [Declaration['kind'], string])[] = [
  ['class', 'Classes'],
  ['function', 'Functions'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
  ['const', 'Constants'],
];

/** As it is imported: the package itself is its module `index`. */
export function importName(subpath: string): string {
  return subpath === 'index' ? 'windlass' : `windlass/${subpath}`;
}

/** Its page, in the folder of the reference, whose own index has all names. */
export function referenceFile(subpath: string): string {
  return subpath === 'index' ? 'windlass.html' : `${subpath}.html`;
}

/** One page that lists every name with its first sentence. */
export function referenceIndex(subpaths: ReadonlyMap<string, readonly Declaration[]>): string {
  const sections = [...subpaths].map(([subpath, all]) => {
    // Overloads, or a type and its value, have one comment among them.
    const rows = Array.from(
      Map.groupBy(all, ({ name }) => name),
      ([name, those]) => {
        const { doc = '' } = those.find((one) => one.doc !== '') ?? {};
        return `| [\`${name}\`](${referenceFile(subpath)}#${anchorOf(name)}) | ${firstSentence(doc)} |`;
      },
    );
    return `\n## ${importName(subpath)}\n\n| name | what it is |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# All names\n${sections.join('')}`;
}

function firstSentence(doc: string): string {
  const [paragraph = ''] = prose(doc).trim().split('\n\n');
  const line = paragraph.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
  return /^.*?[.:](?= |$)/.exec(line)?.[0] ?? line;
}

/** The page of one subpath. */
export function referencePage(subpath: string, all: readonly Declaration[]): string {
  const sections = KINDS.map(([kind, title]) =>
    section(
      title,
      all.filter((one) => one.kind === kind),
    ),
  );
  return `# ${importName(subpath)}

\`\`\`typescript
import { … } from '${importName(subpath)}';
\`\`\`
${sections.join('')}`;
}

function section(title: string, declarations: readonly Declaration[]): string {
  if (declarations.length === 0) return '';
  return `\n## ${title}\n${declarations.map(entry).join('')}`;
}

function entry({ name, doc, text }: Declaration): string {
  const code = text.replaceAll(/^export (?:declare )?/gm, '').replaceAll(/^ +#private;\n/gm, '');
  return `\n### ${name}\n\n${prose(doc)}\`\`\`typescript\n${code}\n\`\`\`\n`;
}

/** Tags as words; links to symbols as their names. */
function prose(doc: string): string {
  if (doc === '') return '';
  const text = doc
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/^@(\w+)\s*/gm, (_, tag: string) => `\n*${tag}* `);
  return `${text}\n\n`;
}
