import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type * as Bundler from './bundle-page.ts';
import { PAGE_FILES, PAGE_FOLDER } from './page-files.ts';

export interface PageAsset {
  readonly body: Uint8Array;
  /** With the charset, as in the header Content-Type. */
  readonly type: string;
  /** With its quotes, as in the header ETag. */
  readonly etag: string;
}

let assets: Promise<ReadonlyMap<string, PageAsset>> | undefined;

/** The page by the path of each of its files: `/`, `/app.js`, `/app.css`, `/icon.svg`. Made at the first call, and then kept. */
export function pageAssets(): Promise<ReadonlyMap<string, PageAsset>> {
  assets ??= loadAssets().catch((error: unknown) => {
    assets = undefined;
    throw error;
  });
  return assets;
}

async function loadAssets(): Promise<ReadonlyMap<string, PageAsset>> {
  const files = await readFiles();
  return new Map(
    PAGE_FILES.map(({ path, file, type }) => {
      const body = files.get(file);
      if (body === undefined)
        throw new Error(`the console's page has no file ${file}; install windlass again`);
      const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22);
      return [path, { body, type, etag: `"${digest}"` }];
    }),
  );
}

async function readFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = new URL(PAGE_FOLDER, import.meta.url);
  try {
    const entries = PAGE_FILES.map(
      async ({ file }) => [file, await readFile(new URL(file, folder))] as const,
    );
    return new Map(await Promise.all(entries));
  } catch (error) {
    if (!isMissing(error)) throw error;
    return bundleFromSources(error);
  }
}

/** In a clone nothing is built beforehand. */
async function bundleFromSources(missing: Error): Promise<ReadonlyMap<string, Uint8Array>> {
  // Not a literal, so that the build of the published package does not follow it and include the bundler.
  const bundler = new URL('bundle-page.ts', import.meta.url).href;
  // The address names this very module.
  const { bundlePage } = await (import(bundler) as Promise<typeof Bundler>).catch((error: unknown) => {
    throw isModuleNotFound(error) ? missing : error;
  });
  const { files } = await bundlePage({ minify: false });
  const encoder = new TextEncoder();
  return new Map([...files].map(([file, text]) => [file, encoder.encode(text)]));
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isModuleNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
