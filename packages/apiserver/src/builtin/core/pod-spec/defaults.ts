import type { PodSpec, PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { roundResources } from '../resource-lists.ts';
import { setContainerDefaults } from './container-defaults.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

/** The defaults of a pod, or of the pods that a template will make. */
export function setPodSpecDefaults(spec: DraftOf<PodSpec>): void {
  spec.restartPolicy ||= 'Always';
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.securityContext ??= {};
  spec.schedulerName ||= 'default-scheduler';
  // The older name for the same.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    if (spec.serviceAccountName !== account) spec.serviceAccountName = account;
    if (spec.serviceAccount !== account) spec.serviceAccount = account;
  }
  const containers = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  for (const container of containers) {
    setContainerDefaults(container, spec.hostNetwork === true);
    roundResources(container.resources, 'limits', 'requests');
  }
  roundResources(spec.resources, 'limits', 'requests');
  roundResources(spec, 'overhead');
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
}

export function setTemplateDefaults(template: DraftOf<PodTemplateSpec> | undefined): void {
  if (template?.spec !== undefined) setPodSpecDefaults(template.spec);
}
