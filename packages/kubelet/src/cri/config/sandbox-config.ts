import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, ContainerPort, Pod } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import type { PodSandboxConfig, PortMapping, Protocol } from '../generated/cri.ts';
import { type CgroupDriver, podCgroup } from './cgroup-names.ts';
import type { Resolver } from './dns.ts';
import { sandboxHostname } from './hostname.ts';
import { podLabels } from './labels.ts';
import { sandboxSecurity } from './security-context.ts';

export interface SandboxFacts {
  /** One more with each sandbox of the pod. */
  readonly attempt: number;
  readonly logDirectory: string;
  readonly resolver: Resolver;
  /** `cluster.local` */
  readonly domain: string;
  readonly cgroupDriver: CgroupDriver;
}

/** The sandbox of a pod, as the runtime is asked for it. */
export function sandboxConfig(pod: Cached<Pod>, facts: SandboxFacts): MessageInit<PodSandboxConfig> {
  const { name, namespace, uid, annotations = {} } = pod.metadata;
  const { sysctls = [] } = pod.spec?.securityContext ?? {};
  return {
    metadata: { name, namespace, uid, attempt: facts.attempt },
    hostname: sandboxHostname(pod, facts.domain),
    logDirectory: facts.logDirectory,
    dnsConfig: facts.resolver,
    portMappings: portMappings(pod),
    labels: podLabels(pod),
    annotations,
    linux: {
      cgroupParent: podCgroup(pod, facts.cgroupDriver),
      securityContext: sandboxSecurity(pod),
      sysctls: Object.fromEntries(sysctls.map((each) => [each.name, each.value])),
    },
  };
}

/** Ports of the node that lead to the pod. In the node's network they are the same ports. */
export function portMappings({ spec }: Cached<Pod>): MessageInit<PortMapping>[] {
  if (spec?.hostNetwork === true) return [];
  const { containers = [], initContainers = [] } = spec ?? {};
  const all: DeepReadonly<Container>[] = [...initContainers, ...containers];
  return all
    .flatMap(({ ports = [] }) => ports)
    .filter(({ hostPort = 0 }) => hostPort > 0)
    .map(portMapping);
}

function portMapping({
  protocol,
  containerPort,
  hostPort = 0,
  hostIP = '',
}: DeepReadonly<ContainerPort>): MessageInit<PortMapping> {
  const known: Protocol = protocol === 'UDP' ? 'UDP' : protocol === 'SCTP' ? 'SCTP' : 'TCP';
  return { protocol: known, containerPort, hostPort, hostIp: hostIP };
}
