// What a parent itself remembers: of which kinds it ever had children. It outlives the operator's versions.
import { type Cached, hasFinalizer, type KubeObject, keyOf, type ResourceType } from '@windlass/apimachinery';
import type { MergePatch, PluralQuery } from '@windlass/client';
import { asCached } from '../objects/as-cached.ts';
import type { KindClient } from '../objects/kind-client.ts';

/** `apps/v1/deployments`, `v1/services`. */
export function recordName({
  group,
  version,
  plural,
}: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`;
}

/** The kinds that the annotation names; what makes no sense is left out. */
export function recordedKinds(parent: Cached<KubeObject>, mark: string): Map<string, Required<PluralQuery>> {
  const kinds = new Map<string, Required<PluralQuery>>();
  for (const name of (parent.metadata.annotations?.[mark] ?? '').split(',')) {
    const parts = name.split('/');
    const [group = '', version = '', plural = ''] = parts.length === 2 ? ['', ...parts] : parts;
    if (parts.length <= 3 && version !== '' && plural !== '') kinds.set(name, { group, version, plural });
  }
  return kinds;
}

export interface ParentMarks {
  /** Names as of `recordName`. */
  readonly kinds: Iterable<string>;
  readonly finalizer: boolean;
}

/**
 * The patch that makes the parent carry these marks; undefined when it does. It is refused when the parent
 * has changed since it was read, so that nobody else's finalizer is lost.
 */
export function markingPatch(
  parent: Cached<KubeObject>,
  mark: string,
  { kinds, finalizer }: ParentMarks,
): MergePatch<KubeObject> | undefined {
  const record = [...new Set(kinds)].sort().join(',');
  const { annotations, finalizers = [], resourceVersion } = parent.metadata;
  const isRecorded = (annotations?.[mark] ?? '') === record;
  const isFinal = hasFinalizer(parent, mark) === finalizer;
  if (isRecorded && isFinal) return undefined;
  const others = finalizers.filter((other) => other !== mark);
  return {
    metadata: {
      resourceVersion,
      ...(!isRecorded && { annotations: { [mark]: record === '' ? null : record } }),
      ...(!isFinal && { finalizers: finalizer ? [...others, mark] : others }),
    },
  };
}

/** Writes the marks if they are not there yet. The parent as it is then. */
export async function markParent<P extends KubeObject>(
  parents: KindClient<P>,
  parent: Cached<P>,
  mark: string,
  marks: ParentMarks,
  signal: AbortSignal,
): Promise<Cached<P>> {
  const patch = markingPatch(parent, mark, marks);
  if (patch === undefined) return parent;
  // The patch is of metadata, which every kind has.
  return asCached(await parents.patch(keyOf(parent), patch as MergePatch<P>, { signal }));
}
