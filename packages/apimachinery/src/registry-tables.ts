import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/**
 * A generated table, read when somebody first asks for what is in it: importing the package costs
 * nothing, and a lookup is still synchronous. The files must lie in `generated/` beside the compiled
 * module, in the repository as in a published package, where large ones are compressed.
 */
export function readTable(name: 'descriptions' | 'protobuf' | 'resources' | 'schemas'): unknown {
  const file = new URL(`./generated/${name}.json`, import.meta.url);
  return JSON.parse(
    existsSync(file) ? readFileSync(file, 'utf8') : readCompressed(new URL(`${file.href}.gz`)),
  );
}

const readCompressed = (file: URL): string => gunzipSync(readFileSync(file)).toString('utf8');
