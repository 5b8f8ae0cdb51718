// Makes the files of the page from its sources. Only a clone has these, and the bundler: the published package contains
// the files that this made.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const PAGE = new URL('../../page/', import.meta.url);
/** In this order: what comes later may say it otherwise. */
const STYLES = ['base', 'parts', 'loop', 'cluster', 'storage', 'try'];

export interface PageBundle {
  /** By the name of the file. */
  readonly files: ReadonlyMap<string, string>;
  /** Full paths of what the script is made of. */
  readonly modules: readonly string[];
}

export async function bundlePage(options: { readonly minify: boolean }): Promise<PageBundle> {
  const build = await rolldown({
    input: fileURLToPath(new URL('main.tsx', PAGE)),
    platform: 'browser',
    tsconfig: fileURLToPath(new URL('tsconfig.json', PAGE)),
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', minify: options.minify });
  await build.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error(`the page must be one script, but ${others.length} more were made`);
  return {
    files: new Map([
      ['index.html', await readPage('index.html')],
      ['icon.svg', await readPage('icon.svg')],
      ['app.css', await bundleStyles(options.minify)],
      ['app.js', script.code],
    ]),
    // What the bundler adds of its own has a name that no file can have.
    modules: script.moduleIds.filter((id) => !id.startsWith('\0')),
  };
}

async function bundleStyles(minify: boolean): Promise<string> {
  const texts = await Promise.all(STYLES.map((name) => readPage(`style/${name}.css`)));
  const text = texts.join('\n');
  return minify ? minifyStyles(text) : text;
}

/** Comments and the space at the ends of lines: the rest is for gzip. No string of ours goes over a line. */
export function minifyStyles(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(/([{;,])\n/g, '$1')
    .trim();
}

function readPage(path: string): Promise<string> {
  return readFile(new URL(path, PAGE), 'utf8');
}
