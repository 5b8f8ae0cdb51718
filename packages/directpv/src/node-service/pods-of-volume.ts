import type { Cached } from '@windlass/apimachinery';
import type { DirectPVVolume } from '../resources/index.ts';
import { targetsOf } from './published-targets.ts';

const IN_POD = /\/pods\/([0-9a-f-]{36})\/volumes?/i;

/** The pods that have the volume, by uid, as the kubelet's paths name them. */
export function podsOfVolume(volume: Cached<DirectPVVolume>): string[] {
  const uids = targetsOf(volume).flatMap((path) => IN_POD.exec(path)?.[1] ?? []);
  return [...new Set(uids)];
}
