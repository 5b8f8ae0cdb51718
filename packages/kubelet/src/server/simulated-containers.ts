import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod, Volume } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import { expand } from '../environment/expand.ts';
import { printsFirst } from '../runtime/simulated-image.ts';
import { SIMULATION_PREFIX } from '../runtime/simulation-annotations.ts';
import { ContainerFiles, type Mount } from '../shell/container-files.ts';
import { type Printed, printedLines } from '../shell/printed-lines.ts';
import type { Surroundings } from '../shell/program.ts';
import { runCommand } from '../shell/run-command.ts';
import { environmentOf, hostnameOf } from './environment.ts';
import type { NodePods } from './node-pods.ts';

/** A container of a pod, found. */
export interface FoundContainer {
  readonly pod: Cached<Pod>;
  readonly container: DeepReadonly<Container>;
}

export type CommandStreams = Pick<Surroundings, 'stdin' | 'stdout' | 'stderr' | 'signal'>;

/** Volumes of which a container can only read. */
const READ_ONLY: readonly (keyof Volume)[] = ['configMap', 'secret', 'projected', 'downwardAPI'];

/** What simulated containers print and do when somebody asks. */
export class SimulatedContainers implements AsyncDisposable {
  readonly #pods: NodePods;
  readonly #clock: Clock;
  /** The folders of pods for what is in no volume, by uid. Made when somebody first looks into a container. */
  readonly #scratch = new Map<string, Promise<string>>();

  constructor(pods: NodePods, clock: Clock) {
    this.#pods = pods;
    this.#clock = clock;
  }

  /** What a run of a container prints, in order. It may never end. */
  async printed(
    { pod, container }: FoundContainer,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<Iterable<Printed>> {
    const { annotations = {} } = pod.metadata;
    const said =
      annotations[`${SIMULATION_PREFIX}log.${container.name}`] ?? annotations[`${SIMULATION_PREFIX}log`];
    if (said !== undefined)
      return said
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ at: startedAt, text }));
    const first = printsFirst(container);
    if (first !== undefined) return [{ at: startedAt, text: first }];
    const environment = await environmentOf(pod, container, this.#pods, signal);
    const command = [...(container.command ?? []), ...(container.args ?? [])].map((word) =>
      expand(word, (name) => environment[name] ?? `$(${name})`),
    );
    return printedLines({ command, environment, hostname: hostnameOf(pod), startedAt });
  }

  /**
   * Runs a command in a container.
   * @returns its exit code
   * @throws ProgramNotFoundError when there is no such program
   */
  async run(found: FoundContainer, command: readonly string[], streams: CommandStreams): Promise<number> {
    const { pod, container } = found;
    const files = await ContainerFiles.open(await this.#root(found), mountsOf(found, this.#directories(pod)));
    return runCommand(command, container.workingDir ?? '/', {
      ...streams,
      files,
      environment: await environmentOf(pod, container, this.#pods, streams.signal),
      hostname: hostnameOf(pod),
      clock: this.#clock,
    });
  }

  /** Nothing of the pod stays. */
  async forget(uid: string): Promise<void> {
    const folder = this.#scratch.get(uid);
    this.#scratch.delete(uid);
    // A command whose caller has left may still be making its folders or writing into them.
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#scratch.keys()].map((uid) => this.forget(uid)));
  }

  #directories({ metadata }: Cached<Pod>): ReadonlyMap<string, string> {
    return this.#pods.directories(metadata.uid);
  }

  async #root({ pod, container }: FoundContainer): Promise<string> {
    const { uid } = pod.metadata;
    let folder = this.#scratch.get(uid);
    if (folder === undefined) {
      folder = mkdtemp(join(tmpdir(), 'windlass-container-'));
      this.#scratch.set(uid, folder);
    }
    return join(await folder, container.name);
  }
}

/** Where a container sees which volume. */
export function mountsOf(
  { pod, container }: FoundContainer,
  directories: ReadonlyMap<string, string>,
): Mount[] {
  return (container.volumeMounts ?? []).map(({ name, mountPath, readOnly, subPath = '' }) => {
    const directory = directories.get(name);
    const volume = pod.spec?.volumes?.find((each) => each.name === name);
    const isReadOnly = readOnly === true || READ_ONLY.some((source) => volume?.[source] !== undefined);
    return { path: mountPath, directory, subPath, isReadOnly };
  });
}
