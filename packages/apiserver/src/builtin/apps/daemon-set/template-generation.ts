import type { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

/** Once a field of the spec, which older clients still look for. */
const ANNOTATION = 'deprecated.daemonset.template.generation';

export function templateGenerationOf({ metadata }: View<DaemonSet>): number {
  return Number(metadata?.annotations?.[ANNOTATION] ?? 0);
}

export function setTemplateGeneration(draft: DraftOf<DaemonSet>, generation: number): void {
  draft.metadata ??= {};
  draft.metadata.annotations = { ...draft.metadata.annotations, [ANNOTATION]: String(generation) };
}

export function setTemplateGenerationDefault(draft: DraftOf<DaemonSet>): void {
  draft.metadata ??= {};
  draft.metadata.annotations = { [ANNOTATION]: '0', ...draft.metadata.annotations };
}
