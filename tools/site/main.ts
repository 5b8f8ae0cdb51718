// `npm run docs`: the site, from the docs of the repository and the declarations of the published package, into
// dist/site. Plain files: any web server shows them, and a browser opens them from the disk.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modules } from '../build/manifest.ts';
import { writeTypes } from '../build/types.ts';
import { anchorOf } from './anchor.ts';
import { type Declaration, exportsOf } from './declarations.ts';
import { docs, type Page } from './pages.ts';
import { importName, referenceFile, referenceIndex, referencePage } from './reference.ts';
import { renderPage } from './render.ts';
import { searchEntries } from './search-index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Builds into `output`, which is emptied first. Resolves with the pages. */
export async function buildSite(output: string): Promise<readonly Page[]> {
  await rm(output, { recursive: true, force: true });
  const subpaths = await declarations(output);
  const pages = [...docs(ROOT), ...references(subpaths)];
  const names = new Map<string, string>();
  for (const [subpath, all] of subpaths)
    for (const { name } of all)
      if (!names.has(name)) names.set(name, `reference/${referenceFile(subpath)}#${anchorOf(name)}`);
  const files = new Set<string>();
  for (const page of pages) await put(join(output, page.path), renderPage(page, { pages, names }, files));
  for (const file of files)
    await cp(join(ROOT, file), join(output, file), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  for (const file of ['style.css', 'site.js']) await cp(new URL(file, import.meta.url), join(output, file));
  // A script, because a page that is opened from the disk may not fetch.
  await put(
    join(output, 'search-index.js'),
    `window.searchIndex = ${JSON.stringify(searchEntries(pages))};\n`,
  );
  return pages;
}

/** What each subpath exports; those of the API's types would only repeat Kubernetes' own. */
async function declarations(output: string): Promise<ReadonlyMap<string, readonly Declaration[]>> {
  const types = `${output}-types/`;
  try {
    await writeTypes(new URL(`file://${types}`));
    const names = (await modules()).filter((name) => !name.startsWith('api/'));
    return new Map(names.map((name) => [name, exportsOf(join(types, `types/windlass/src/${name}.d.ts`))]));
  } finally {
    await rm(types, { recursive: true, force: true });
  }
}

function references(subpaths: ReadonlyMap<string, readonly Declaration[]>): Page[] {
  const page = (path: string, title: string, markdown: string): Page => ({
    source: undefined,
    path: `reference/${path}`,
    title,
    group: 'Reference',
    markdown,
  });
  return [
    page('index.html', 'All names', referenceIndex(subpaths)),
    ...Array.from(subpaths, ([name, all]) =>
      page(referenceFile(name), importName(name), referencePage(name, all)),
    ),
  ];
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

if (import.meta.main) {
  const output = join(ROOT, 'dist/site');
  const pages = await buildSite(output);
  console.log(`built dist/site: ${pages.length} pages; open dist/site/index.html`);
}
