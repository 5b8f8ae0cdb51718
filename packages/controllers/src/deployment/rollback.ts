import { deepCopy } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { annotationsOf } from '../shared/meta.ts';
import { REVISION, REVISION_HISTORY, ROLLBACK_TO, revisionOf } from './annotations.ts';
import type { ReadonlyDeployment, ReadonlyReplicaSet } from './arithmetic.ts';
import { isSameTemplate, withoutHash } from './template.ts';

/** The revision that old clients ask for by an annotation; 0 is the one before. Undefined: nobody asks. */
export function rollbackTarget(deployment: ReadonlyDeployment): number | undefined {
  const text = annotationsOf(deployment)[ROLLBACK_TO];
  return text === undefined || !/^[0-9]+$/.test(text) ? undefined : Number(text);
}

export interface Rollback {
  /** What to write: without the annotation, and with the template of that revision where there is one. */
  readonly deployment: Deployment;
  readonly event: { readonly type: 'normal' | 'warning'; readonly reason: string; readonly note: string };
}

/** What an old client's wish comes to. New ones write the template themselves. */
export function rollback(
  deployment: ReadonlyDeployment,
  sets: readonly ReadonlyReplicaSet[],
  wanted: number,
): Rollback {
  const next = deepCopy<Deployment>(deployment);
  delete next.metadata?.annotations?.[ROLLBACK_TO];
  const revision = wanted === 0 ? revisionBeforeLast(sets) : wanted;
  if (revision === 0)
    return {
      deployment: next,
      event: {
        type: 'warning',
        reason: 'DeploymentRollbackRevisionNotFound',
        note: 'Unable to find last revision.',
      },
    };
  const set = sets.find((candidate) => revisionOf(candidate) === revision);
  if (set?.spec?.template === undefined || next.spec === undefined)
    return {
      deployment: next,
      event: {
        type: 'warning',
        reason: 'DeploymentRollbackRevisionNotFound',
        note: 'Unable to find the revision to rollback to.',
      },
    };
  if (isSameTemplate(set.spec.template, next.spec.template))
    return {
      deployment: next,
      event: {
        type: 'warning',
        reason: 'DeploymentRollbackTemplateUnchanged',
        note: `The rollback revision contains the same template as current deployment "${next.metadata?.name}"`,
      },
    };
  next.spec.template = deepCopy<NonNullable<NonNullable<ReplicaSet['spec']>['template']>>(
    withoutHash(set.spec.template),
  );
  next.metadata = { ...next.metadata, annotations: annotationsAfter(next, set) };
  return {
    deployment: next,
    event: {
      type: 'normal',
      reason: 'DeploymentRollback',
      note: `Rolled back deployment "${next.metadata.name}" to revision ${revision}`,
    },
  };
}

/** Those of the set, and of the deployment those that are its own. */
function annotationsAfter(deployment: Deployment, set: ReadonlyReplicaSet): Record<string, string> {
  const own = new Set([REVISION, REVISION_HISTORY, 'kubectl.kubernetes.io/last-applied-configuration']);
  const kept = Object.entries(annotationsOf(deployment)).filter(([key]) => own.has(key));
  const taken = Object.entries(annotationsOf(set)).filter(
    ([key]) => !own.has(key) && !key.startsWith('deployment.kubernetes.io/'),
  );
  return Object.fromEntries([...kept, ...taken]);
}

function revisionBeforeLast(sets: readonly ReadonlyReplicaSet[]): number {
  return sets.map(revisionOf).toSorted((a, b) => b - a)[1] ?? 0;
}
