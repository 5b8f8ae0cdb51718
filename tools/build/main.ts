// Writes the published package to dist/windlass: `npm run build`. Each subpath is one file and the parts they
// share are a few more, because what a module costs at import is mostly that it is one more file.
import { rm } from 'node:fs/promises';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { bundle } from './bundle.ts';
import { writeManifest } from './manifest.ts';
import { OUTPUT } from './paths.ts';
import { writeSources } from './sources.ts';
import { writeTypes } from './types.ts';

/** Builds into `output`, which is emptied first. */
export async function build(output: URL): Promise<void> {
  await rm(output, { recursive: true, force: true });
  const modules = await bundle(output);
  await writeTypes(output);
  await writeSources(output);
  await writeManifest(output);
  await writeBillOfMaterials(output, modules);
}

if (import.meta.main) {
  await build(OUTPUT);
  console.log('built dist/windlass; `npm pack ./dist/windlass` makes the tarball');
}
