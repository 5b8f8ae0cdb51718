import type { Cached, Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { DirectPVVolume, LABELS, type VolumeStatus } from '../resources/index.ts';
import type { AdminOptions } from './admin-options.ts';
import { type DriveSelector, type Found, naturally, placeQuery } from './drive-query.ts';
import { expandNames } from './ellipsis.ts';
import { labelQuery, matchesLabels } from './label-query.ts';

/** Which volumes are meant. Lists may hold ellipses and commas. */
export interface VolumeSelector extends Pick<DriveSelector, 'nodes' | 'drives' | 'labels'> {
  /** Names of volumes. They are meant beside those that everything else selects. */
  readonly ids?: readonly string[];
  readonly driveIds?: readonly string[];
  readonly podNames?: readonly string[];
  readonly podNamespaces?: readonly string[];
  readonly statuses?: readonly VolumeStatus[];
}

/** Volumes in the order of node, drive and name. A query that selects nothing in particular means all. */
export async function findVolumes(
  client: Client,
  query: VolumeSelector,
  { signal }: AdminOptions = {},
): Promise<Found<Served<DirectPVVolume>>> {
  const ids = new Set(expandNames(query.ids ?? []));
  const hasIds = ids.size > 0;
  const places = placeQuery(query);
  const labels = labelQuery(query.labels ?? []);
  const driveIds = new Set(expandNames(query.driveIds ?? []));
  const podNames = new Set(expandNames(query.podNames ?? []));
  const podNamespaces = new Set(expandNames(query.podNamespaces ?? []));
  const statuses = new Set(query.statuses ?? []);
  const isSelective =
    !places.isEmpty ||
    labels.size > 0 ||
    [driveIds, podNames, podNamespaces, statuses].some(({ size }) => size > 0);
  const isMeant = (volume: Served<DirectPVVolume>): boolean =>
    places.matches(labelOf(volume, LABELS.node), labelOf(volume, LABELS.driveName)) &&
    matchesLabels(volume, labels) &&
    (driveIds.size === 0 || driveIds.has(volume.status.fsuuid)) &&
    (podNames.size === 0 || podNames.has(labelOf(volume, LABELS.podName))) &&
    (podNamespaces.size === 0 || podNamespaces.has(labelOf(volume, LABELS.podNamespace))) &&
    (statuses.size === 0 || statuses.has(volume.status.status));
  const items: Served<DirectPVVolume>[] = [];
  const options = {
    ...(signal !== undefined && { signal }),
    ...(!hasIds && places.selector(labels)),
  };
  for await (const volume of client.resource(DirectPVVolume).items(options)) {
    const isAsked = ids.delete(volume.metadata.name);
    if (isAsked || (isSelective ? isMeant(volume) : !hasIds)) items.push(volume);
  }
  return { items: items.toSorted(byPlace), missing: [...ids].sort() };
}

export const volumeName = (volume: Cached<DirectPVVolume>): string => volume.metadata.name;
export const labelOf = (object: Served<DirectPVVolume>, key: string): string =>
  object.metadata?.labels?.[key] ?? '';

function byPlace(a: Served<DirectPVVolume>, b: Served<DirectPVVolume>): number {
  return (
    naturally(labelOf(a, LABELS.node), labelOf(b, LABELS.node)) ||
    naturally(labelOf(a, LABELS.driveName), labelOf(b, LABELS.driveName)) ||
    naturally(volumeName(a), volumeName(b))
  );
}
