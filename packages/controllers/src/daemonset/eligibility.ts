import { type Cached, matchesNode, untoleratedTaint } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import { daemonTolerations, type ReadonlyDaemonSet } from './daemon-pods.ts';

export type ReadonlyNode = Cached<Node>;

/**
 * Whether a node gets a pod of the set, and whether it keeps one that it has: a taint that only keeps pods
 * from coming drives none away. Whether there is room does not matter; the scheduler makes it.
 */
export interface Eligibility {
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
}

const NEITHER: Eligibility = Object.freeze({ shouldRun: false, shouldContinue: false });
const BOTH: Eligibility = Object.freeze({ shouldRun: true, shouldContinue: true });
const ONLY_CONTINUE: Eligibility = Object.freeze({ shouldRun: false, shouldContinue: true });

const NO_EXECUTE: ReadonlySet<string> = new Set(['NoExecute']);

/** Made once for a set, and asked for each node. */
export function eligibilityFor({ spec }: ReadonlyDaemonSet): (node: ReadonlyNode) => Eligibility {
  const template = spec?.template;
  const pod = template?.spec === undefined ? {} : { spec: template.spec };
  const nodeName = template?.spec?.nodeName ?? '';
  const tolerations = daemonTolerations(template);
  return (node) => {
    if (nodeName !== '' && nodeName !== node.metadata.name) return NEITHER;
    if (!matchesNode(pod, node)) return NEITHER;
    const taints = node.spec?.taints ?? [];
    if (untoleratedTaint(taints, tolerations) === undefined) return BOTH;
    return untoleratedTaint(taints, tolerations, NO_EXECUTE) === undefined ? ONLY_CONTINUE : NEITHER;
  };
}
