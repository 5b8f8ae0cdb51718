import { InvalidArgumentError } from '@windlass/base';
import type { AdmissionPlugin } from './admission.ts';

/**
 * What kube-apiserver's `--disable-admission-plugins` may leave out here as well. Those that keep people and nodes
 * within their rights are not among them, nor the one that lets namespaces end.
 */
export const OPTIONAL_PLUGINS = [
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const;

/** The name of an admission plugin that may be turned off. */
export type OptionalPlugin = (typeof OPTIONAL_PLUGINS)[number];

/** The plugins without the disabled ones, in the same order. */
export function enabledPlugins(
  plugins: readonly AdmissionPlugin[],
  disabled: readonly OptionalPlugin[],
): AdmissionPlugin[] {
  for (const name of disabled)
    if (!OPTIONAL_PLUGINS.includes(name))
      throw new InvalidArgumentError(
        'disabledAdmissionPlugins',
        name,
        `one of ${OPTIONAL_PLUGINS.join(', ')}`,
      );
  const names = new Set<string>(disabled);
  return plugins.filter(({ name }) => !names.has(name));
}
