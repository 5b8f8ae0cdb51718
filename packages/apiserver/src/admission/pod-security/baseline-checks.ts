import { goQuote } from '@windlass/apimachinery';
import {
  type CheckedPod,
  containersOf,
  containersText,
  namesWhere,
  type PodCheck,
  plural,
  quoted,
  type SecurityCheck,
  settersText,
  sorted,
  unlessInUserNamespace,
  type Violation,
} from './security-check.ts';

const CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';
const isProfile = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';

function appArmor(pod: CheckedPod): Violation | undefined {
  const isBad = (profile: { readonly type: string } | undefined): boolean =>
    profile !== undefined && !isProfile(profile.type);
  const ofPod = pod.spec.securityContext?.appArmorProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.appArmorProfile));
  const values = sorted([
    ...(isBad(ofPod) ? [ofPod?.type ?? ''] : []),
    ...bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? ''),
  ]);
  const annotations = Object.entries(pod.annotations)
    .filter(
      ([key, value]) =>
        key.startsWith(APP_ARMOR_ANNOTATION) &&
        !(value === '' || value === 'runtime/default' || value.startsWith('localhost/')),
    )
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .toSorted();
  const setters = [
    settersText(
      isBad(ofPod),
      bad.map(({ name }) => name),
    ),
    ...(annotations.length > 0 ? [plural(annotations.length, 'annotation')] : []),
  ].filter((text) => text !== '');
  if (setters.length === 0) return undefined;
  const all = [...values, ...annotations];
  return {
    reason: plural(all.length, 'forbidden AppArmor profile'),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  };
}

function capabilities(pod: CheckedPod): Violation | undefined {
  const extra = (added: readonly string[] | undefined): string[] =>
    (added ?? []).filter((name) => !CAPABILITIES.has(name));
  const found = containersOf(pod).flatMap(({ securityContext }) => extra(securityContext?.capabilities?.add));
  if (found.length === 0) return undefined;
  const bad = namesWhere(pod, ({ securityContext }) => extra(securityContext?.capabilities?.add).length > 0);
  return {
    reason: 'non-default capabilities',
    detail: `${containersText(bad)} must not include ${quoted(sorted(found))} in securityContext.capabilities.add`,
  };
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  if (used.length === 0) return undefined;
  return { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') };
}

function hostPaths({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(names.length, 'volume')} ${quoted(names)}` };
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, ({ ports }) => (ports ?? []).some(({ hostPort = 0 }) => hostPort !== 0));
  if (bad.length === 0) return undefined;
  const ports = sorted(
    containersOf(pod).flatMap(({ ports: own }) =>
      (own ?? []).flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)])),
    ),
  );
  return {
    reason: 'hostPort',
    detail: `${containersText(bad)} ${plural(bad.length, 'uses', 'use')} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  };
}

interface Handler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

function probeHosts(pod: CheckedPod): Violation | undefined {
  const hostsOf = (handler: Handler | undefined): string[] =>
    [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''].filter((host) => host !== '');
  const found = containersOf(pod).map((container) => ({
    name: container.name,
    hosts: [
      container.livenessProbe,
      container.readinessProbe,
      container.startupProbe,
      container.lifecycle?.postStart,
      container.lifecycle?.preStop,
    ].flatMap(hostsOf),
  }));
  const bad = found.filter(({ hosts }) => hosts.length > 0);
  if (bad.length === 0) return undefined;
  const names = sorted(bad.map(({ name }) => name));
  const hosts = sorted(bad.flatMap((one) => one.hosts));
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(names)} ${plural(names.length, 'uses', 'use')} ${plural(hosts.length, 'probe or lifecycle host')} ${quoted(hosts)}`,
  };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containersText(bad)} must not set securityContext.privileged=true`,
  };
}

export function procMount(pod: CheckedPod): Violation | undefined {
  const isBad = (type: string | undefined): boolean => type !== undefined && type !== 'Default';
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.procMount));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map(({ securityContext }) => securityContext?.procMount ?? ''));
  return {
    reason: 'procMount',
    detail: `${containersText(bad.map(({ name }) => name))} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

interface SelinuxOptions {
  readonly type?: string;
  readonly user?: string;
  readonly role?: string;
}

function selinux(allowed: readonly string[]): PodCheck {
  const isBad = (options: SelinuxOptions | undefined): options is SelinuxOptions =>
    options !== undefined &&
    (!allowed.includes(options.type ?? '') || (options.user ?? '') !== '' || (options.role ?? '') !== '');
  return (pod) => {
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const names = namesWhere(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const bad = [
      ofPod,
      ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions),
    ].filter(isBad);
    if (bad.length === 0) return undefined;
    const types = sorted(bad.map(({ type = '' }) => type).filter((type) => !allowed.includes(type)));
    const problems = [
      ...(types.length > 0 ? [`${plural(types.length, 'type')} ${quoted(types)}`] : []),
      ...(bad.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(bad.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${settersText(isBad(ofPod), names)} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`,
    };
  };
}

function seccompAnnotations(pod: CheckedPod): Violation | undefined {
  const keys = [
    SECCOMP_POD_ANNOTATION,
    ...containersOf(pod).map(({ name }) => `${SECCOMP_ANNOTATION}${name}`),
  ];
  const bad = sorted(
    keys.flatMap((key) => {
      const value = pod.annotations[key];
      const isGood =
        value === undefined ||
        value === 'runtime/default' ||
        value === 'docker/default' ||
        value.startsWith('localhost/');
      return isGood ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural(bad.length, 'annotation')} ${bad.join(', ')}`,
  };
}

/** Profiles that are named must be harmless ones. */
export function seccomp(pod: CheckedPod): Violation | undefined {
  const isBad = (profile: { readonly type: string } | undefined): boolean =>
    profile !== undefined && !isProfile(profile.type);
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seccompProfile));
  const setters = settersText(
    isBad(ofPod),
    bad.map(({ name }) => name),
  );
  if (setters === '') return undefined;
  const types = sorted([
    ...(isBad(ofPod) ? [ofPod?.type ?? ''] : []),
    ...bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? ''),
  ]);
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
}

function sysctls(allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

function hostProcess(pod: CheckedPod): Violation | undefined {
  const isPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const setters = settersText(isPod, bad);
  if (setters === '') return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}

/** What keeps a pod from the known ways out of it. In the order in which violations are told. */
export const BASELINE_CHECKS: readonly SecurityCheck[] = [
  { id: 'appArmorProfile', since: [[0, appArmor]] },
  { id: 'capabilities_baseline', since: [[0, capabilities]] },
  { id: 'hostNamespaces', since: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', since: [[0, hostPaths]] },
  { id: 'hostPorts', since: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', since: [[34, probeHosts]] },
  { id: 'privileged', since: [[0, privileged]] },
  {
    id: 'procMount',
    since: [
      [0, procMount],
      [35, unlessInUserNamespace(procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    since: [
      [0, selinux(SELINUX_TYPES)],
      [31, selinux([...SELINUX_TYPES, 'container_engine_t'])],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    since: [
      [0, seccompAnnotations],
      [19, seccomp],
    ],
  },
  {
    id: 'sysctls',
    since: [
      [0, sysctls(SYSCTLS)],
      [27, sysctls(SYSCTLS_27)],
      [29, sysctls(SYSCTLS_29)],
      [32, sysctls(SYSCTLS_32)],
    ],
  },
  { id: 'windowsHostProcess', since: [[0, hostProcess]] },
];
