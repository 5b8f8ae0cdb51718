import { controllerReferenceTo, deepCopy } from '@windlass/apimachinery';
import { Deployment, type ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { POD_TEMPLATE_HASH, templateHash } from '../shared/pod-template.ts';
import { newSetAnnotations, withSizes } from './annotations.ts';
import {
  maxSurgeOf,
  newSetSize,
  type ReadonlyDeployment,
  type ReadonlyReplicaSet,
  replicasOf,
} from './arithmetic.ts';

/** The set for the deployment's template, named after it. It begins as big as the others leave room for. */
export function newSetFor(
  deployment: ReadonlyDeployment,
  old: readonly ReadonlyReplicaSet[],
  revision: bigint,
): ReplicaSet & { readonly metadata: { readonly name: string } } {
  const { spec, status } = deployment;
  const template = deepCopy(spec?.template ?? {});
  const hash = templateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  template.metadata = { ...template.metadata, labels };
  const selector = deepCopy(spec?.selector ?? {});
  const desired = replicasOf(deployment);
  const annotations = withSizes(newSetAnnotations(deployment, {}, revision), {
    desired,
    max: desired + maxSurgeOf(deployment),
  });
  return {
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels: { ...labels },
      annotations: { ...annotations },
      ownerReferences: [controllerReferenceTo(deployment, Deployment)],
    },
    spec: {
      replicas: newSetSize(deployment, old, 0),
      ...(spec?.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },
      template,
    },
  };
}
