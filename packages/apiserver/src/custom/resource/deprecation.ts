import type { DeepReadonly } from '@windlass/apimachinery';
import { compareVersions } from '../../resource/compare-versions.ts';
import type { DefinitionSpec, DefinitionVersion } from '../definition/definition-object.ts';

/** What a deprecated version warns of: its own words, or which newer version to use instead. */
export function deprecationOf(
  { group, names, versions }: DeepReadonly<Pick<DefinitionSpec, 'group' | 'names' | 'versions'>>,
  { name, deprecated, deprecationWarning }: DeepReadonly<DefinitionVersion>,
): { readonly deprecation?: string } {
  if (deprecated !== true) return {};
  if (deprecationWarning !== undefined) return { deprecation: deprecationWarning };
  const [newest] = versions
    .filter((one) => one.served && one.deprecated !== true && compareVersions(one.name, name) < 0)
    .map((one) => one.name)
    .toSorted(compareVersions);
  const instead = newest === undefined ? '' : `; use ${group}/${newest} ${names.kind}`;
  return { deprecation: `${group}/${name} ${names.kind} is deprecated${instead}` };
}
