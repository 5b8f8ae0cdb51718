import { readFileSync } from 'node:fs';

/**
 * A generated table, read when somebody first asks for what is in it: importing the package costs
 * nothing, and a lookup is still synchronous. The files must lie in `generated/` beside the compiled
 * module, in the repository as in a published package.
 */
export function readTable(name: 'descriptions' | 'protobuf' | 'resources' | 'schemas'): unknown {
  return JSON.parse(readFileSync(new URL(`./generated/${name}.json`, import.meta.url), 'utf8'));
}
