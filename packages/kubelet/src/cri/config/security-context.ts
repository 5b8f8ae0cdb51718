import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type {
  AppArmorProfile,
  Container,
  Pod,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
} from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import type {
  LinuxContainerSecurityContext,
  LinuxSandboxSecurityContext,
  NamespaceMode,
  SecurityProfile,
} from '../generated/cri.ts';

/** What no container sees of the kernel unless it says so. */
const MASKED = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

type Context = DeepReadonly<SecurityContext>;
type PodContext = DeepReadonly<PodSecurityContext>;

/** As whom a container runs, and what it may. */
export function containerSecurity(
  { spec }: Cached<Pod>,
  container: DeepReadonly<Container>,
  targetId: string,
): MessageInit<LinuxContainerSecurityContext> {
  const ofPod: PodContext = spec?.securityContext ?? {};
  const own: Context = container.securityContext ?? {};
  const { privileged = false, capabilities, procMount = 'Default' } = own;
  const runAsUser = own.runAsUser ?? ofPod.runAsUser;
  const runAsGroup = own.runAsGroup ?? ofPod.runAsGroup;
  const selinux = own.seLinuxOptions ?? ofPod.seLinuxOptions;
  const profile = own.appArmorProfile ?? ofPod.appArmorProfile;
  return {
    privileged,
    capabilities: {
      addCapabilities: [...(capabilities?.add ?? [])],
      dropCapabilities: [...(capabilities?.drop ?? [])],
    },
    namespaceOptions: namespaces(spec, spec?.shareProcessNamespace === true ? 'POD' : 'CONTAINER', targetId),
    ...(selinux !== undefined && { selinuxOptions: selinux }),
    ...(runAsUser !== undefined && { runAsUser: { value: runAsUser } }),
    ...(runAsGroup !== undefined && { runAsGroup: { value: runAsGroup } }),
    readonlyRootfs: own.readOnlyRootFilesystem ?? false,
    supplementalGroups: groupsOf(ofPod),
    supplementalGroupsPolicy: ofPod.supplementalGroupsPolicy === 'Strict' ? 'Strict' : 'Merge',
    noNewPrivs: own.allowPrivilegeEscalation === false,
    maskedPaths: procMount === 'Unmasked' ? [] : MASKED,
    readonlyPaths: procMount === 'Unmasked' ? [] : READ_ONLY,
    seccomp: seccomp(own.seccompProfile ?? ofPod.seccompProfile, privileged),
    ...(profile !== undefined && { apparmor: appArmor(profile) }),
  };
}

/** The sandbox is as privileged as the most privileged of its containers. */
export function sandboxSecurity({ spec }: Cached<Pod>): MessageInit<LinuxSandboxSecurityContext> {
  const { containers = [], initContainers = [], securityContext: ofPod = {} } = spec ?? {};
  const privileged = [...containers, ...initContainers].some(
    ({ securityContext }) => securityContext?.privileged === true,
  );
  return {
    privileged,
    namespaceOptions: namespaces(spec, spec?.shareProcessNamespace === true ? 'POD' : 'CONTAINER', ''),
    ...(ofPod.seLinuxOptions !== undefined && { selinuxOptions: ofPod.seLinuxOptions }),
    ...(ofPod.runAsUser !== undefined && { runAsUser: { value: ofPod.runAsUser } }),
    ...(ofPod.runAsUser !== undefined &&
      ofPod.runAsGroup !== undefined && { runAsGroup: { value: ofPod.runAsGroup } }),
    supplementalGroups: groupsOf(ofPod),
    seccomp: { profileType: 'RuntimeDefault', ...(privileged && { profileType: 'Unconfined' as const }) },
  };
}

function namespaces(
  spec: Cached<Pod>['spec'],
  processes: NamespaceMode,
  targetId: string,
): NonNullable<MessageInit<LinuxContainerSecurityContext>['namespaceOptions']> {
  const pid: NamespaceMode = spec?.hostPID === true ? 'NODE' : targetId === '' ? processes : 'TARGET';
  return {
    network: spec?.hostNetwork === true ? 'NODE' : 'POD',
    ipc: spec?.hostIPC === true ? 'NODE' : 'POD',
    pid,
    ...(pid === 'TARGET' && { targetId }),
  };
}

function groupsOf({ supplementalGroups = [], fsGroup }: PodContext): number[] {
  return [...new Set([...supplementalGroups, ...(fsGroup === undefined ? [] : [fsGroup])])];
}

function seccomp(
  profile: DeepReadonly<SeccompProfile> | undefined,
  privileged: boolean,
): MessageInit<SecurityProfile> {
  if (privileged || profile === undefined) return { profileType: 'Unconfined' };
  return secured(profile.type, profile.localhostProfile);
}

function appArmor({ type, localhostProfile }: DeepReadonly<AppArmorProfile>): MessageInit<SecurityProfile> {
  return secured(type, localhostProfile);
}

function secured(type: string, localhostRef = ''): MessageInit<SecurityProfile> {
  if (type === 'RuntimeDefault') return { profileType: 'RuntimeDefault' };
  return type === 'Localhost' ? { profileType: 'Localhost', localhostRef } : { profileType: 'Unconfined' };
}

/** What of an image says as whom it runs. */
export interface ImageUser {
  readonly uid: number | undefined;
  readonly username: string;
}

/** Why a container must not run as the user that it would have; undefined: it may. */
export function userProblem(
  { spec }: Cached<Pod>,
  { name, image = '', securityContext = {} }: DeepReadonly<Container>,
  user: ImageUser,
): string | undefined {
  const ofPod: PodContext = spec?.securityContext ?? {};
  const runAsNonRoot = securityContext.runAsNonRoot ?? ofPod.runAsNonRoot;
  if (runAsNonRoot !== true) return undefined;
  const uid = securityContext.runAsUser ?? ofPod.runAsUser;
  if (uid !== undefined)
    return uid === 0 ? `container's runAsUser breaks non-root policy (container: ${name})` : undefined;
  if (user.username !== '' && user.uid === undefined)
    return `container has runAsNonRoot and image has non-numeric user (${user.username}), cannot verify user is non-root (container: ${name})`;
  if ((user.uid ?? 0) === 0)
    return `container has runAsNonRoot and image will run as root (container: ${name}, image: ${image})`;
  return undefined;
}
