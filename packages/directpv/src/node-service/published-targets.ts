import type { Cached } from '@windlass/apimachinery';
import { type DirectPVVolume, GROUP } from '../resources/index.ts';

/** On a volume: every path where a pod has it, as JSON. `status.targetPath` has room for one, and shows the first. */
const ANNOTATION = `${GROUP}/target-paths`;

type Volume = Cached<DirectPVVolume>;

/** Where pods have the volume. What DirectPV wrote has one path at most. */
export function targetsOf({ metadata, status }: Volume): readonly string[] {
  const single = status.targetPath === '' ? [] : [status.targetPath];
  const text = metadata?.annotations?.[ANNOTATION];
  if (text === undefined) return single;
  try {
    const paths: unknown = JSON.parse(text);
    const known = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
    // Whoever knows nothing of the annotation may have changed the field.
    return single.length === 0 ? [] : [...new Set([...single, ...known])].toSorted();
  } catch {
    return single;
  }
}

export function withTarget(volume: Volume, path: string): Volume {
  return withTargets(volume, [...new Set([...targetsOf(volume), path])].toSorted());
}

export function withoutTarget(volume: Volume, path: string): Volume {
  return withTargets(
    volume,
    targetsOf(volume).filter((target) => target !== path),
  );
}

function withTargets(volume: Volume, targets: readonly string[]): Volume {
  const { [ANNOTATION]: _before, ...annotations } = { ...volume.metadata?.annotations };
  // One path needs no list: such an object is as DirectPV writes it.
  const more = targets.length > 1 ? { [ANNOTATION]: JSON.stringify(targets) } : {};
  return {
    ...volume,
    metadata: { ...volume.metadata, annotations: { ...annotations, ...more } },
    status: { ...volume.status, targetPath: targets[0] ?? '' },
  };
}
