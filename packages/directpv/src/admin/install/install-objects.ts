import type { KubeObject } from '@windlass/apimachinery';
import { resourceDefinitions } from '../../resources/index.ts';
import { controllerDeployment, controllerDisruptionBudget } from './controller-deployment.ts';
import { csiDriver, namespaceObject, storageClass } from './driver.ts';
import { type InstallOptions, installSettings } from './install-options.ts';
import { nodeDaemonSet } from './node-daemonset.ts';
import { rbacObjects } from './rbac.ts';
import { INSTALL_LABELS } from './shared.ts';

/** An object that says what it is. */
export interface InstallObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Everything that is installed, in the order in which it can be. The manifests in `deploy/` are these objects. */
export function installObjects(options: InstallOptions = {}): InstallObject[] {
  const settings = installSettings(options);
  const definitions = resourceDefinitions.map((definition) => ({
    ...definition,
    metadata: {
      ...definition.metadata,
      labels: { ...INSTALL_LABELS, ...definition.metadata?.labels },
    },
  }));
  const objects: readonly KubeObject[] = [
    namespaceObject(),
    ...rbacObjects(settings.openshift),
    ...definitions,
    csiDriver(),
    storageClass(),
    nodeDaemonSet(settings),
    controllerDeployment(settings),
    controllerDisruptionBudget(),
  ];
  return objects.map((object) => {
    const { apiVersion = '', kind = '' } = object;
    return { ...object, apiVersion, kind };
  });
}
