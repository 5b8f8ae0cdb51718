import { type DeepReadonly, resourceClaimsOfPod } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';

/** What a node must read to run a pod. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>;
  readonly configMaps: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly resourceClaims: ReadonlySet<string>;
  readonly serviceAccount: string;
}

export function podReferences(pod: DeepReadonly<Pod>): PodReferences {
  const { spec, metadata } = pod;
  const secrets = new Set<string>();
  const configMaps = new Set<string>();
  const claims = new Set<string>();
  const add = (set: Set<string>, name: string | undefined): void => {
    if (name !== undefined && name !== '') set.add(name);
  };
  for (const { name } of spec?.imagePullSecrets ?? []) add(secrets, name);
  const containers = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  for (const { env, envFrom } of containers) {
    for (const { valueFrom } of env ?? []) {
      add(secrets, valueFrom?.secretKeyRef?.name);
      add(configMaps, valueFrom?.configMapKeyRef?.name);
    }
    for (const { secretRef, configMapRef } of envFrom ?? []) {
      add(secrets, secretRef?.name);
      add(configMaps, configMapRef?.name);
    }
  }
  for (const volume of spec?.volumes ?? []) {
    add(secrets, volume.secret?.secretName);
    add(configMaps, volume.configMap?.name);
    add(claims, volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral !== undefined) add(claims, `${metadata?.name ?? ''}-${volume.name}`);
    add(secrets, volume.csi?.nodePublishSecretRef?.name);
    for (const { secret, configMap } of volume.projected?.sources ?? []) {
      add(secrets, secret?.name);
      add(configMaps, configMap?.name);
    }
  }
  const resourceClaims = new Set<string>();
  for (const { claim } of resourceClaimsOfPod(pod)) add(resourceClaims, claim);
  return { secrets, configMaps, claims, resourceClaims, serviceAccount: spec?.serviceAccountName ?? '' };
}
