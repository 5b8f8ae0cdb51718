// The API reference: one page of Markdown for each subpath of the published package.
import { type Declaration, exportsOf } from './declarations.ts';

const KINDS: readonly (readonly [Declaration['kind'], string])[] = [
  ['class', 'Classes'],
  ['function', 'Functions'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
  ['const', 'Constants'],
];

/** @param types the index.d.ts of the subpath. */
export function referencePage(subpath: string, types: string): string {
  const all = exportsOf(types);
  const sections = KINDS.map(([kind, title]) =>
    section(
      title,
      all.filter((one) => one.kind === kind),
    ),
  );
  return `# windlass/${subpath}

\`\`\`typescript
import { … } from 'windlass/${subpath}';
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
