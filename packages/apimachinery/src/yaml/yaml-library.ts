import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

let loaded: typeof Yaml | undefined;

/**
 * The parser, loaded when the first text is to be parsed: it takes longer to load than everything else
 * that a client needs, and most programs never read YAML.
 */
export function yamlLibrary(): typeof Yaml {
  // The module is the one whose types are named.
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}
