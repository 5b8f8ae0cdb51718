import { deepEqual } from '@windlass/apimachinery';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { DraftOf, View } from '../../../resource/views.ts';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, listWithMore, printer, UNSET } from '../../shared/columns.ts';
import { endpointSliceValidation } from './validation.ts';

const MAX_SHOWN = 3;

export const endpointSlice = defineKind(EndpointSlice, {
  strategy: {
    prepareForCreate: (draft) => dropTopology(draft, undefined),
    prepareForUpdate: dropTopology,
    generation: (slice, old) =>
      !deepEqual(slice.metadata?.labels ?? {}, old.metadata?.labels ?? {}) ||
      (['addressType', 'endpoints', 'ports'] as const).some((field) => !deepEqual(slice[field], old[field])),
  },
  defaults({ ports }) {
    for (const port of ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  validation: endpointSliceValidation,
  printer: printer(
    [column('AddressType'), column('Ports'), column('Endpoints'), AGE_COLUMN],
    (slice, now) => {
      const ports = (slice.ports ?? []).map(({ port, name }) =>
        port === undefined ? name || '*' : String(port),
      );
      const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
      return [
        slice.addressType ?? '',
        listWithMore(ports, MAX_SHOWN) || UNSET,
        listWithMore(addresses, MAX_SHOWN) || UNSET,
        ageOf(slice, now),
      ];
    },
  ),
});

/** Topology is told by other fields now; it stays only where nothing else changes. */
function dropTopology(draft: DraftOf<EndpointSlice>, old: View<EndpointSlice> | undefined): void {
  if (old !== undefined && deepEqual(draft.endpoints, old.endpoints)) return;
  for (const endpoint of draft.endpoints ?? []) delete endpoint.deprecatedTopology;
  // It counts as a change all the same.
  if (old !== undefined && deepEqual(draft.endpoints, old.endpoints) && draft.metadata !== undefined)
    draft.metadata.generation = (old.metadata?.generation ?? 0) + 1;
}
