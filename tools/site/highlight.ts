import { createRequire } from 'node:module';

/** What is used of highlight.js. Its own types bring those of browsers along, for every file of the repository. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(names: readonly string[], options: { readonly languageName: string }): void;
  getLanguage(name: string): unknown;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter; // as its documentation has it

for (const name of ['bash', 'dockerfile', 'go', 'json', 'typescript', 'yaml'])
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
highlighter.registerAliases(['sh', 'console'], { languageName: 'bash' });

/** The HTML of a piece of code; plain where the language is not known. */
export function highlight(code: string, language: string): string {
  if (highlighter.getLanguage(language) === undefined) return escapeHtml(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
