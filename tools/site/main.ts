// `npm run docs`: the site, from the docs of the repository and the declarations of the published package, into
// dist/site. Plain files: any web server shows them, and a browser opens them from the disk.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modules } from '../build/manifest.ts';
import { writeTypes } from '../build/types.ts';
import { docs, type Page } from './pages.ts';
import { referencePage } from './reference.ts';
import { renderPage } from './render.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Builds into `output`, which is emptied first. Resolves with the pages. */
export async function buildSite(output: string): Promise<readonly Page[]> {
  await rm(output, { recursive: true, force: true });
  const pages = [...docs(ROOT), ...(await references(output))];
  const files = new Set<string>();
  for (const page of pages) await put(join(output, page.path), renderPage(page, pages, files));
  for (const file of files)
    await cp(join(ROOT, file), join(output, file), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  await cp(new URL('style.css', import.meta.url), join(output, 'style.css'));
  return pages;
}

/** One page for each subpath; those of the API's types would only repeat Kubernetes' own. */
async function references(output: string): Promise<readonly Page[]> {
  const types = `${output}-types/`;
  try {
    await writeTypes(new URL(`file://${types}`));
    return (await modules())
      .filter((name) => !name.startsWith('api/'))
      .map((name) => ({
        source: undefined,
        path: `reference/${name}.html`,
        title: `windlass/${name}`,
        group: 'Reference',
        markdown: referencePage(name, join(types, `types/windlass/src/${name}.d.ts`)),
      }));
  } finally {
    await rm(types, { recursive: true, force: true });
  }
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
