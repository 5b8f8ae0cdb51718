// What the lane sets for its files.
import { kubernetesVersion } from '../real/harness/paths.ts';

/** The names of what it sets. */
export const SETTINGS = {
  long: 'WINDLASS_SIM_LONG',
  times: 'WINDLASS_SIM_TIMES',
  kubernetes: 'WINDLASS_SIM_KUBERNETES',
} as const;

/**
 * Releases of Kubernetes whose kube-controller-manager is looked at, beside the pinned one: the last two before
 * controllers knew what they had written, and the newest.
 */
const OTHER_RELEASES = ['v1.34.10', 'v1.35.8', 'v1.37.1'];

/** Whether runs that take more than some minutes are wanted. */
export const isLong: boolean = process.env[SETTINGS.long] === '1';

/** How often each plan is run. */
export const times: number = Number(process.env[SETTINGS.times] ?? '1');

/** The releases, the oldest first, each as `v1.35.8`. */
export function kubernetesReleases(): string[] {
  const given = process.env[SETTINGS.kubernetes];
  const releases = given?.split(',') ?? [...OTHER_RELEASES, kubernetesVersion()];
  return releases.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
