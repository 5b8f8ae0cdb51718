// Which endpoint is in which slice. Every write of a slice goes to every node, so that few writes matter
// more than full slices.
import { type Cached, type DeepReadonly, deepCopy, semanticEqual } from '@windlass/apimachinery';
import type { Endpoint, EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { labelsOf } from '../shared/meta.ts';
import { endpointKey } from './endpoint.ts';

export const MAX_ENDPOINTS_PER_SLICE = 100;

/** A slice with a list of endpoints, empty or not. */
export interface FilledSlice extends EndpointSlice {
  endpoints: Endpoint[];
}

export interface SliceChanges {
  readonly create: readonly FilledSlice[];
  readonly update: readonly FilledSlice[];
  readonly delete: readonly Cached<EndpointSlice>[];
}

export interface PackingInput {
  /** All with the same ports and the same type of address. */
  readonly existing: readonly Cached<EndpointSlice>[];
  readonly desired: readonly Endpoint[];
  readonly labels: Readonly<Record<string, string>>;
  /** Makes an empty one, with these ports and labels. */
  readonly newSlice: () => FilledSlice;
  /** @default 100 */
  readonly max?: number;
}

/**
 * First, existing slices lose what is no longer wanted and take over what changed. Then what is new goes into
 * slices that are written anyway, the fullest first. What is left goes, if it fits, into one of the others:
 * the one that it fills best; else into new ones.
 */
export function packEndpoints(input: PackingInput): SliceChanges {
  const { existing, labels, newSlice, max = MAX_ENDPOINTS_PER_SLICE } = input;
  const left = new Map(input.desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const update: FilledSlice[] = [];
  const unchanged: Cached<EndpointSlice>[] = [];
  const deleted: Cached<EndpointSlice>[] = [];
  for (const slice of existing) {
    const old = slice.endpoints ?? [];
    const kept: Endpoint[] = [];
    let hasChanged = false;
    for (const endpoint of old) {
      const key = endpointKey(endpoint);
      const now = left.get(key);
      left.delete(key);
      if (now === undefined) continue;
      kept.push(now);
      hasChanged ||= !semanticEqual(now, endpoint);
    }
    if (kept.length === 0 && old.length > 0) deleted.push(slice);
    else if (hasChanged || kept.length !== old.length || !semanticEqual(labelsOf(slice), labels))
      update.push(withContent(slice, kept, labels));
    else unchanged.push(slice);
  }
  const waiting = [...left.values()];
  for (const slice of update.toSorted((a, b) => b.endpoints.length - a.endpoints.length))
    slice.endpoints.push(...waiting.splice(0, max - slice.endpoints.length));
  const create: FilledSlice[] = [];
  while (waiting.length > 0) {
    const found = waiting.length < max ? bestFit(unchanged, waiting.length, max) : undefined;
    const slice = found === undefined ? newSlice() : withContent(found, found.endpoints ?? [], labels);
    slice.endpoints.push(...waiting.splice(0, max - slice.endpoints.length));
    if (found === undefined) create.push(slice);
    else {
      unchanged.splice(unchanged.indexOf(found), 1);
      update.push(slice);
    }
  }
  return { create, update, delete: deleted };
}

function withContent(
  slice: Cached<EndpointSlice>,
  endpoints: readonly DeepReadonly<Endpoint>[],
  labels: Readonly<Record<string, string>>,
): FilledSlice {
  const copy = deepCopy<EndpointSlice>(slice);
  return {
    ...copy,
    metadata: { ...copy.metadata, labels: { ...labels } },
    endpoints: deepCopy<Endpoint[]>(endpoints),
  };
}

function bestFit(
  slices: readonly Cached<EndpointSlice>[],
  count: number,
  max: number,
): Cached<EndpointSlice> | undefined {
  const size = ({ endpoints }: Cached<EndpointSlice>): number => endpoints?.length ?? 0;
  return slices
    .filter((slice) => size(slice) + count <= max)
    .toSorted((a, b) => size(b) - size(a) || (a.metadata.name < b.metadata.name ? -1 : 1))[0];
}
