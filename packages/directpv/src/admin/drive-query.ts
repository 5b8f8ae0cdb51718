import type { Cached, Served } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import { DirectPVDrive, type DriveStatus, LABELS, nodeLabelValue, nodeOfDrive } from '../resources/index.ts';
import type { AdminOptions } from './admin-options.ts';
import { expandNames } from './ellipsis.ts';
import { type LabelQuery, labelQuery, matchesLabels, selectorFor } from './label-query.ts';

/** Which drives are meant. Lists may hold ellipses and commas: `node{1...4}`. */
export interface DriveSelector {
  /** Ids of drives. They are meant beside those that everything else selects. */
  readonly ids?: readonly string[];
  readonly nodes?: readonly string[];
  /** Names of devices, with or without `/dev/`. */
  readonly drives?: readonly string[];
  readonly statuses?: readonly DriveStatus[];
  /** `key=value`; a key without a prefix gets ours. */
  readonly labels?: readonly string[];
}

/** What a query led to. */
export interface Found<T> {
  readonly items: readonly T[];
  /** Ids that were asked for and are not there. */
  readonly missing: readonly string[];
}

/** Drives in the order of node, name and id. A query that selects nothing in particular means all. */
export async function findDrives(
  client: Client,
  query: DriveSelector,
  { signal }: AdminOptions = {},
): Promise<Found<Served<DirectPVDrive>>> {
  const ids = new Set(expandNames(query.ids ?? []));
  const places = placeQuery(query);
  const labels = labelQuery(query.labels ?? []);
  const statuses = new Set(query.statuses ?? []);
  const isSelective = !places.isEmpty || labels.size > 0 || statuses.size > 0;
  const isMeant = (drive: Served<DirectPVDrive>): boolean =>
    places.matches(nodeOfDrive(drive), driveName(drive)) &&
    matchesLabels(drive, labels) &&
    (statuses.size === 0 || statuses.has(drive.status.status));
  const items: Served<DirectPVDrive>[] = [];
  const options = {
    ...(signal !== undefined && { signal }),
    // Ids come beside the rest, so that with them everything has to be looked at.
    ...(ids.size === 0 && places.selector(labels)),
  };
  for await (const drive of client.resource(DirectPVDrive).items(options)) {
    const isAsked = ids.delete(drive.metadata.name);
    if (isAsked || (isSelective ? isMeant(drive) : (query.ids ?? []).length === 0)) items.push(drive);
  }
  return { items: items.toSorted(byPlace), missing: [...ids].sort() };
}

export const driveId = (drive: Cached<DirectPVDrive>): string => drive.metadata.name;
export const driveName = (drive: Served<DirectPVDrive>): string =>
  drive.metadata?.labels?.[LABELS.driveName] ?? '';

function byPlace(a: Served<DirectPVDrive>, b: Served<DirectPVDrive>): number {
  return (
    naturally(nodeOfDrive(a), nodeOfDrive(b)) ||
    naturally(driveName(a), driveName(b)) ||
    naturally(driveId(a), driveId(b))
  );
}

/** As people count: node2 before node10. */
const collator = new Intl.Collator('en', { numeric: true });
export const naturally = (a: string, b: string): number =>
  collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);

export interface PlaceQuery {
  readonly isEmpty: boolean;
  matches(node: string, drive: string): boolean;
  /** What the server can sift out, for a list call. */
  selector(labels: LabelQuery): { readonly labelSelector?: string };
}

/** Nodes and names of devices, of drives and volumes alike. */
export function placeQuery(query: Pick<DriveSelector, 'nodes' | 'drives'>): PlaceQuery {
  const nodes = new Set(expandNames(query.nodes ?? []).map(nodeLabelValue));
  const drives = new Set(expandNames(query.drives ?? []).map(withoutDev));
  return {
    isEmpty: nodes.size === 0 && drives.size === 0,
    matches: (node, drive) =>
      (nodes.size === 0 || nodes.has(node)) && (drives.size === 0 || drives.has(drive)),
    selector: (labels) =>
      selectorFor(
        [
          [LABELS.node, nodes],
          [LABELS.driveName, drives],
        ],
        labels,
      ),
  };
}

export function withoutDev(name: string): string {
  return name.startsWith('/dev/') ? name.slice('/dev/'.length) : name;
}
