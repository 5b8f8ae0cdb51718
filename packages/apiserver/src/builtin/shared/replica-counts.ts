import { FieldPath } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

const STATUS = FieldPath.of('status');

type Counts<Field extends string> = {
  readonly [Name in
    | Field
    | 'observedGeneration'
    | 'replicas'
    | 'readyReplicas'
    | 'availableReplicas']?: number;
};

/**
 * What a controller reports of its pods: never more of anything than there are.
 *
 * @param ready what errors call the pods that are ready
 */
export function validateReplicaCounts<Field extends string>(
  status: Counts<NoInfer<Field>>,
  fields: readonly Field[],
  ready: string,
  findings: Findings,
): void {
  for (const field of ['observedGeneration', 'replicas', ...fields] as const)
    findings.notNegative(STATUS.child(field), status[field]);
  const { replicas = 0, availableReplicas = 0, readyReplicas = 0 } = status;
  for (const field of fields) {
    const count = status[field] ?? 0;
    if (count > replicas)
      findings.invalid(STATUS.child(field), count, 'cannot be greater than status.replicas');
  }
  if (availableReplicas > readyReplicas)
    findings.invalid(STATUS.child('availableReplicas'), availableReplicas, `cannot be greater than ${ready}`);
}

interface Collisions {
  readonly status?: { readonly collisionCount?: number };
}

/** How often a name for what was made was taken already. */
export function validateCollisions({ status }: Collisions, old: Collisions, findings: Findings): void {
  const [now, before] = [status?.collisionCount, old.status?.collisionCount];
  if (before !== undefined && (now === undefined || now < before))
    findings.invalid(STATUS.child('collisionCount'), now ?? 0, 'cannot be decremented');
}
