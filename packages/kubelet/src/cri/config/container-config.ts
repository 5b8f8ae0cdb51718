import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import { expand } from '../../environment/expand.ts';
import type { ContainerConfig, Mount } from '../generated/cri.ts';
import { containerLabels } from './labels.ts';
import { containerResources } from './resources.ts';
import { containerSecurity } from './security-context.ts';

export interface ContainerFacts {
  readonly attempt: number;
  /** As the runtime knows the image. */
  readonly imageId: string;
  readonly environment: ReadonlyMap<string, string>;
  readonly mounts: readonly MessageInit<Mount>[];
  /** In the sandbox's folder of logs. */
  readonly logPath: string;
  readonly machineMemory: number;
  /** Whose processes an ephemeral container sees; empty: only its own. */
  readonly targetId: string;
}

/** A container, as the runtime is asked for it. */
export function containerConfig(
  pod: Cached<Pod>,
  container: DeepReadonly<Container>,
  facts: ContainerFacts,
): MessageInit<ContainerConfig> {
  const { name, image = '', command = [], args = [], resources = {} } = container;
  const expanded = (word: string): string =>
    expand(word, (variable) => facts.environment.get(variable) ?? `$(${variable})`);
  return {
    metadata: { name, attempt: facts.attempt },
    image: { image: facts.imageId, userSpecifiedImage: image },
    command: command.map(expanded),
    args: args.map(expanded),
    workingDir: container.workingDir ?? '',
    // Bytes are given in base64.
    envs: [...facts.environment].map(([key, value]) => ({
      key,
      value: Buffer.from(value).toString('base64'),
    })),
    mounts: facts.mounts,
    labels: containerLabels(pod, name),
    annotations: { 'io.kubernetes.container.restartCount': String(facts.attempt) },
    logPath: facts.logPath,
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    linux: {
      resources: containerResources(resources, pod, facts.machineMemory),
      securityContext: containerSecurity(pod, container, facts.targetId),
    },
  };
}
