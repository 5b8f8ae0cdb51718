// Which kinds are deprecated in the release, and what the server warns of when they are asked for. It stands in the
// published Go sources as methods of their types, each of which returns one value.
import { existsSync, globSync } from 'node:fs';
import { readText } from './files.ts';

interface Lifecycle {
  readonly deprecated?: readonly [major: number, minor: number];
  readonly removed?: readonly [major: number, minor: number];
  /** `discovery.k8s.io/v1 EndpointSlice` */
  readonly replacement?: string;
}

const METHOD =
  /^func \(in \*(\w+)\) APILifecycle(Deprecated|Removed|Replacement)\(\) .*\{\n\treturn (.*)\n\}/gm;

/** By kind. */
export function parseLifecycles(source: string): Map<string, Lifecycle> {
  const found = new Map<string, Lifecycle>();
  for (const [, kind = '', what, value = ''] of source.matchAll(METHOD)) {
    const before = found.get(kind);
    if (what === 'Replacement') {
      const [, group = '', version = '', name = ''] =
        /Group: "(.*)", Version: "(.*)", Kind: "(.*)"/.exec(value) ?? [];
      if (name === '')
        throw new Error(`${kind} is replaced by ${value}, which tools/generate/lifecycle.ts cannot read`);
      found.set(kind, {
        ...before,
        replacement: `${group === '' ? version : `${group}/${version}`} ${name}`,
      });
      continue;
    }
    const [major = 0, minor = 0] = value.split(', ').map(Number);
    found.set(kind, { ...before, [what === 'Removed' ? 'removed' : 'deprecated']: [major, minor] });
  }
  return found;
}

/** What the server warns of; undefined when the kind is not deprecated in the release. */
export function deprecationWarning(
  { deprecated, removed, replacement }: Lifecycle,
  name: string,
  release: string,
): string | undefined {
  const [major = 0, minor = 0] = release.replace(/^v/, '').split('.').map(Number);
  if (deprecated === undefined) return undefined;
  if (deprecated[0] > major || (deprecated[0] === major && deprecated[1] > minor)) return undefined;
  const gone = removed === undefined ? '' : `, unavailable in v${removed.join('.')}+`;
  const instead = replacement === undefined ? '' : `; use ${replacement}`;
  return `${name} is deprecated in v${deprecated.join('.')}+${gone}${instead}`;
}

/** The warnings of all deprecated kinds of a group version, by kind. */
export function readDeprecations(folder: string, groupVersion: string, release: string): Map<string, string> {
  const warnings = new Map<string, string>();
  if (!existsSync(folder)) return warnings;
  for (const file of globSync('*lifecycle.go', { cwd: folder }))
    for (const [kind, lifecycle] of parseLifecycles(readText(`${folder}/${file}`))) {
      const warning = deprecationWarning(lifecycle, `${groupVersion} ${kind}`, release);
      if (warning !== undefined) warnings.set(kind, warning);
    }
  return warnings;
}
