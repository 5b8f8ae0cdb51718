// What tables show of kinds that keep a number of pods.
import type { ReplicationController } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { AGE_COLUMN, ageOf, type Cell, column } from '../../shared/columns.ts';
import { containerCells, SELECTED_CONTAINERS } from './columns.ts';

export const COUNT_COLUMNS = [
  column('Desired', 'integer'),
  column('Current', 'integer'),
  column('Ready', 'integer'),
] as const;

/** The selector's cell is left to the kind. */
export const REPLICA_COLUMNS = [...COUNT_COLUMNS, AGE_COLUMN, ...SELECTED_CONTAINERS] as const;

/** Replica sets are alike in this. */
type Replicated = Pick<View<ReplicationController>, 'metadata'> & {
  readonly spec?: Pick<NonNullable<View<ReplicationController>['spec']>, 'replicas' | 'template'>;
  readonly status?: Pick<NonNullable<View<ReplicationController>['status']>, 'replicas' | 'readyReplicas'>;
};

/** How many are desired, there and ready, with their containers. */
export function replicaCells(object: Replicated, now: number): Cell[] {
  const { spec, status } = object;
  return [
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(object, now),
    ...containerCells(spec?.template?.spec),
  ];
}

/** `ready/desired` */
export function readyText({ spec, status }: Replicated): string {
  return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
}
