// What tables show of the pods that a template makes.
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { wide } from '../../shared/columns.ts';

export const CONTAINER_COLUMNS = [wide('Containers'), wide('Images')] as const;
export const SELECTED_CONTAINERS = [...CONTAINER_COLUMNS, wide('Selector')] as const;

/** Names and images of the containers. */
export function containerCells(spec: View<PodSpec> | undefined): [names: string, images: string] {
  const containers = spec?.containers ?? [];
  return [
    containers.map(({ name = '' }) => name).join(','),
    containers.map(({ image = '' }) => image).join(','),
  ];
}
