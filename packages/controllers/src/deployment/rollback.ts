import { deepCopy, parseInt64, type Served } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { annotationsOf } from '../shared/meta.ts';
import { isSameTemplate, withoutHash } from '../shared/pod-template.ts';
import { byRevision, REVISION, REVISION_HISTORY, ROLLBACK_TO, revisionOf } from './annotations.ts';
import type { ReadonlyDeployment, ReadonlyReplicaSet } from './arithmetic.ts';

/** The revision that old clients ask for by an annotation; 0 is the one before. Undefined: nobody asks. */
export function rollbackTarget(deployment: ReadonlyDeployment): bigint | undefined {
  return parseInt64(annotationsOf(deployment)[ROLLBACK_TO] ?? '');
}

export interface Rollback {
  /** What to write: without the annotation, and with the template of that revision where there is one. */
  readonly deployment: Served<Deployment>;
  readonly event: { readonly type: 'normal' | 'warning'; readonly reason: string; readonly note: string };
}

/** What an old client's wish comes to. New ones write the template themselves. */
export function rollback(
  deployment: ReadonlyDeployment,
  sets: readonly ReadonlyReplicaSet[],
  wanted: bigint,
): Rollback {
  const next = deepCopy(deployment);
  delete next.metadata?.annotations?.[ROLLBACK_TO];
  const revision = wanted === 0n ? revisionBeforeLast(sets) : wanted;
  if (revision === 0n)
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
        note: `The rollback revision contains the same template as current deployment "${next.metadata.name}"`,
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
function annotationsAfter(deployment: Served<Deployment>, set: ReadonlyReplicaSet): Record<string, string> {
  const own = new Set([REVISION, REVISION_HISTORY, 'kubectl.kubernetes.io/last-applied-configuration']);
  const kept = Object.entries(annotationsOf(deployment)).filter(([key]) => own.has(key));
  const taken = Object.entries(annotationsOf(set)).filter(
    ([key]) => !own.has(key) && !key.startsWith('deployment.kubernetes.io/'),
  );
  return Object.fromEntries([...kept, ...taken]);
}

function revisionBeforeLast(sets: readonly ReadonlyReplicaSet[]): bigint {
  const before = sets.toSorted(byRevision).at(-2);
  return before === undefined ? 0n : revisionOf(before);
}
