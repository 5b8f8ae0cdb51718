import type { DeepReadonly } from '@windlass/apimachinery';
import type { Pod, Volume, VolumeProjection } from '@windlass/apimachinery/api/core/v1';
import { podReferences } from '../access/node/pod-references.ts';

/** What of the API a volume of this type reads. */
const VOLUMES: readonly (readonly [keyof Volume, string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];

const SOURCES: readonly (readonly [keyof VolumeProjection, string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/** What a pod needs that only the API has; undefined when it needs nothing. */
export function apiObjectOf(pod: DeepReadonly<Pod>): string | undefined {
  const { spec } = pod;
  if ((spec?.serviceAccountName ?? '') !== '') return 'serviceaccounts';
  const { secrets, configMaps } = podReferences(pod);
  if (secrets.size > 0) return 'secrets';
  if (configMaps.size > 0) return 'configmaps';
  if ((spec?.resourceClaims ?? []).length > 0) return 'resourceclaims';
  for (const volume of spec?.volumes ?? []) {
    for (const [type, what] of VOLUMES) if (volume[type] !== undefined) return what;
    for (const source of volume.projected?.sources ?? [])
      for (const [type, what] of SOURCES) if (source[type] !== undefined) return what;
  }
  return undefined;
}
