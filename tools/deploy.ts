// Writes the manifests, the kustomization and the Helm chart below deploy/ from the objects that
// `kubectl directpv install` applies: `node tools/deploy.ts`. A test holds the folder to them.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployFiles, GENERATED } from './deploy/files.ts';

if (import.meta.main) {
  const folder = new URL('../deploy/', import.meta.url);
  for (const part of GENERATED) await rm(new URL(part, folder), { recursive: true, force: true });
  for (const [path, text] of deployFiles()) {
    const file = fileURLToPath(new URL(path, folder));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
