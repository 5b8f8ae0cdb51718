import type { Cached } from '@windlass/apimachinery';
import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { type FilterPlugin, type FilterState, rejects } from '../framework/plugin.ts';

const NAME = 'VolumeZone';
/** The labels of old, and what they are called today. */
const CURRENT: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};
const LABELS: readonly string[] = [...Object.keys(CURRENT), ...Object.values(CURRENT)];

interface Place {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

/** Several zones are one label: `a__b`. */
function placesOf({ metadata }: Cached<PersistentVolume>): Place[] {
  return LABELS.flatMap((key) => {
    const value = metadata?.labels?.[key];
    return value === undefined ? [] : [{ key, values: new Set(value.split('__')) }];
  });
}

class ZoneState implements FilterState {
  readonly places: readonly Place[];

  constructor(places: readonly Place[]) {
    this.places = places;
  }

  clone(): this {
    return this;
  }

  change(): void {}
}

/** Volumes that say where they are by their labels, as they did before they had an affinity. */
export const volumeZone: FilterPlugin = {
  name: NAME,
  events: ['StorageClassChange', 'NodeAdd', 'NodeLabel', 'ClaimChange', 'VolumeChange'],
  preFilter(pod, { volumes }) {
    const places = pod.claims.flatMap(({ claim, isEphemeral }) => {
      const name = volumes.claim(`${pod.namespace}/${claim}`)?.spec?.volumeName;
      const volume = isEphemeral || name === undefined ? undefined : volumes.volume(name);
      return volume === undefined ? [] : placesOf(volume);
    });
    return places.length === 0 ? { kind: 'skip' } : { kind: 'state', state: new ZoneState(places) };
  },
  filter(_, { labels }, state) {
    if (!(state instanceof ZoneState)) return undefined;
    // A node that says nothing about where it is has nothing to conflict with.
    if (!LABELS.some((key) => key in labels)) return undefined;
    const fits = state.places.every(({ key, values }) => {
      const value = labels[key] ?? labels[CURRENT[key] ?? key];
      return value !== undefined && values.has(value);
    });
    return fits ? undefined : rejects(NAME, 'node(s) had no available volume zone', true);
  },
};
