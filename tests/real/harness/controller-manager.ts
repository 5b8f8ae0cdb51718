import {
  type ControlPlaneAccess,
  type ControlPlaneProgram,
  startControlPlaneProgram,
} from './control-plane-program.ts';
import type { Log } from './needs.ts';

export interface RealControllerManagerOptions {
  /** Names, as `--controllers` takes them. @default all that are on by default */
  readonly controllers?: readonly string[];
  /** Flags after the harness's own; the last of a flag given twice wins. @default none */
  readonly args?: readonly string[];
  /** Told about a slow build. @default nothing is said */
  readonly log?: Log;
}

/** The real kube-controller-manager of the pinned release, as an administrator. */
export function startRealControllerManager(
  cluster: ControlPlaneAccess,
  { controllers, args = [], log }: RealControllerManagerOptions = {},
): Promise<ControlPlaneProgram> {
  return startControlPlaneProgram('kube-controller-manager', cluster, {
    args: [
      '--leader-elect=false',
      `--root-ca-file=${cluster.caFile}`,
      `--service-account-private-key-file=${cluster.serviceAccountKeyFile}`,
      ...(controllers === undefined ? [] : [`--controllers=${controllers.join()}`]),
      ...args,
    ],
    log,
  });
}
