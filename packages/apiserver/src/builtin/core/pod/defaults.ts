import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setPodSpecDefaults } from '../pod-spec/defaults.ts';

export function setPodDefaults(draft: DraftOf<Pod>): void {
  draft.spec ??= {};
  const { spec } = draft;
  setPodSpecDefaults(spec);
  // A template has none of these: they are set when its pods are made.
  spec.enableServiceLinks ??= true;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])])
    setRequestsFromLimits(container);
}

/** A limit without a request asks for as much. */
function setRequestsFromLimits({ resources }: DraftOf<Container>): void {
  const limits = resources?.limits ?? undefined;
  if (resources === undefined || limits === undefined) return;
  resources.requests ??= {};
  const { requests } = resources;
  for (const [name, value] of Object.entries(limits)) requests[name] ??= value;
}
