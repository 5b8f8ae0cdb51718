// How volumes and claims may be used: read, written, by one or by many.
import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../shared/findings.ts';

/** Each mode with its short name, in the order in which they are shown. */
const MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export const VOLUME_MODES = ['Block', 'Filesystem'];

/** One mode is for a single pod only, and goes with no other. */
export function validateAccessModes(modes: readonly string[], path: FieldPath, findings: Findings): void {
  for (const mode of modes) findings.oneOf(path, mode, ACCESS_MODES);
  const isShared = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && isShared)
    findings.forbidden(path, 'may not use ReadWriteOncePod with other access modes');
}

export function accessModesText(modes: readonly string[] | null | undefined): string {
  return MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
