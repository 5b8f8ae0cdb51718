import {
  type ControlPlaneAccess,
  type ControlPlaneProgram,
  startControlPlaneProgram,
} from './control-plane-program.ts';
import type { Log } from './needs.ts';

/** The real kube-scheduler of the pinned release, as an administrator. */
export function startRealScheduler(cluster: ControlPlaneAccess, log?: Log): Promise<ControlPlaneProgram> {
  return startControlPlaneProgram('kube-scheduler', cluster, { args: [], log });
}
