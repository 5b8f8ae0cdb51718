import { type Clock, type Random, sleep, type Timer } from '@windlass/base';
import { fullImageName, imageIdOf } from './image-name.ts';
import { isMissingTag, missingHost, referenceProblem } from './image-reference.ts';
import {
  type ContainerExit,
  type ContainerRequest,
  type ContainerRuntime,
  type Image,
  ImageError,
  type ProbeKind,
  type ProbeOutcome,
  type RunningContainer,
  type StartRequest,
} from './runtime.ts';
import { probeOutcome } from './simulated-probe.ts';
import { programOf } from './simulated-program.ts';
import { terminationMessage } from './termination-message.ts';

/** Options of a runtime that only pretends to run containers. */
export interface SimulatedRuntimeOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** See `KubeletOptions.terminatingMs`. */
  readonly terminatingMs: number;
}

/** All that the status says of an image's size; nobody has looked. */
const IMAGE_BYTES = 10_000_000;
/** Ended by SIGKILL. */
const KILLED = 137;

/**
 * Containers that only seem to run: they start at once, run until they are stopped, and end with the code of
 * a program that SIGTERM ends. Annotations of the pod and simple commands say otherwise; see
 * `simulated-program.ts`.
 *
 * It knows nothing that is not in the pod, so that a container which an agent before this one started is
 * taken up where it was, with the time that it has left.
 */
export class SimulatedRuntime implements ContainerRuntime {
  readonly version = 'windlass://0.1.0';
  readonly readsFiles = false;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #terminatingMs: number;
  readonly #images = new Set<string>();

  constructor({ clock, random, terminatingMs }: SimulatedRuntimeOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#terminatingMs = terminatingMs;
  }

  async pull(request: ContainerRequest, onPulling: () => void, signal: AbortSignal): Promise<Image> {
    const { pull } = programOf(request);
    const { image: name = '' } = request.container;
    const wrong = referenceProblem(name);
    if (wrong !== undefined)
      throw new ImageError(
        'InvalidImageName',
        `Failed to apply default image tag "${name}": couldn't parse image name "${name}": ${wrong}`,
      );
    const image = fullImageName(name);
    const policy = request.container.imagePullPolicy ?? 'IfNotPresent';
    // Each node has its own.
    const place = `${request.pod.spec?.nodeName ?? ''} ${image}`;
    const wasPresent = this.#images.has(place);
    const found = { image, imageID: imageIdOf(image), sizeBytes: IMAGE_BYTES, wasPresent };
    if (policy === 'Never' && !wasPresent)
      throw new ImageError(
        'ErrImageNeverPull',
        `Container image "${request.container.image}" is not present with pull policy of Never`,
      );
    if (policy === 'IfNotPresent' && wasPresent) return found;
    onPulling();
    if (pull.afterMs > 0) await sleep(this.#clock, pull.afterMs, signal);
    if (pull.error !== undefined)
      throw new ImageError(
        'ErrImagePull',
        `failed to pull and unpack image "${image}": ${pull.error === '' ? 'not found' : pull.error}`,
      );
    const nowhere = missingHost(image);
    if (isMissingTag(image) && pull.afterMs === 0)
      throw new ImageError(
        'ErrImagePull',
        `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
      );
    // Who gives the time that it takes means that it comes.
    if (nowhere !== undefined && pull.afterMs === 0)
      throw new ImageError(
        'ErrImagePull',
        `failed to pull and unpack image "${image}": failed to resolve reference "${image}": dial tcp: lookup ${nowhere}: no such host`,
      );
    this.#images.add(place);
    return { ...found, wasPresent: false };
  }

  async start(
    request: ContainerRequest & Partial<Pick<StartRequest, 'onCreated'>>,
    onExit: (exit: ContainerExit) => void,
  ): Promise<RunningContainer> {
    request.onCreated?.();
    const id = `windlass://${Buffer.from(this.#random.bytes(32)).toString('hex')}`;
    return this.#container(request, { id, startedAt: this.#clock.now() }, onExit);
  }

  async attach(
    request: ContainerRequest,
    known: Known,
    onExit: (exit: ContainerExit) => void,
  ): Promise<RunningContainer> {
    return this.#container(request, known, onExit);
  }

  #container(
    request: ContainerRequest,
    known: Known,
    onExit: (exit: ContainerExit) => void,
  ): RunningContainer {
    const options = { clock: this.#clock, terminatingMs: this.#terminatingMs };
    return new SimulatedContainer(request, known, options, onExit);
  }
}

interface Known {
  readonly id: string;
  readonly startedAt: number;
}

class SimulatedContainer implements RunningContainer {
  readonly id: string;
  readonly startedAt: number;
  readonly #request: ContainerRequest;
  readonly #clock: Clock;
  readonly #onExit: (exit: ContainerExit) => void;
  readonly #program: ReturnType<typeof programOf>;
  #timer: Timer | undefined;
  /** When it ends, as far as is known, on the monotonic clock. */
  #endsAt = Number.POSITIVE_INFINITY;
  #hasEnded = false;

  constructor(
    request: ContainerRequest,
    { id, startedAt }: Known,
    { clock, terminatingMs }: Pick<SimulatedRuntimeOptions, 'clock' | 'terminatingMs'>,
    onExit: (exit: ContainerExit) => void,
  ) {
    this.id = id;
    this.startedAt = startedAt;
    this.#request = request;
    this.#clock = clock;
    this.#onExit = onExit;
    this.#program = programOf(request, terminatingMs);
    const { end } = this.#program;
    if (end !== undefined) this.#endIn(startedAt + end.afterMs - clock.now(), end.exitCode);
  }

  stop(graceMs: number): void {
    const { stop } = this.#program;
    if (stop.afterMs > graceMs) this.#endIn(graceMs, KILLED);
    else this.#endIn(stop.afterMs, stop.exitCode);
  }

  finish(exitCode: number): void {
    this.#endIn(0, exitCode);
  }

  async probe(kind: ProbeKind, pod: ContainerRequest['pod']): Promise<ProbeOutcome> {
    return probeOutcome({ ...this.#request, pod }, kind, this.#clock.now() - this.startedAt);
  }

  #written(exitCode: number): string {
    const { container, pod } = this.#request;
    const ranMs = this.#clock.now() - this.startedAt;
    return terminationMessage({ container, hostname: pod.metadata.name, ranMs, exitCode });
  }

  #endIn(ms: number, exitCode: number): void {
    const endsAt = this.#clock.monotonic() + Math.max(0, ms);
    // A container ends once, by whatever comes first.
    if (this.#hasEnded || endsAt > this.#endsAt) return;
    this.#endsAt = endsAt;
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#hasEnded = true;
        const message = this.#program.message ?? this.#written(exitCode);
        this.#onExit({ exitCode, ...(message !== '' && { message }) });
      },
      ms,
      { keepAlive: false },
    );
  }
}
