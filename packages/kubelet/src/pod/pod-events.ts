import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { EventRecorder } from '@windlass/runtime';
import type { Image, ProbeKind } from '../runtime/runtime.ts';

/** What a node agent tells people of a pod, in the words that they know. */
export class PodEvents {
  readonly #recorder: EventRecorder;

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder;
  }

  pulling(pod: Cached<Pod>, container: string, image: string): void {
    this.#normal(pod, container, 'Pulling', `Pulling image "${image}"`);
  }

  pulled(
    pod: Cached<Pod>,
    container: string,
    image: string,
    { wasPresent, sizeBytes }: Image,
    tookMs: number,
  ): void {
    const took = tookMs < 1000 ? `${Math.round(tookMs)}ms` : `${tookMs / 1000}s`;
    this.#normal(
      pod,
      container,
      'Pulled',
      wasPresent
        ? `Container image "${image}" already present on machine`
        : `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${sizeBytes} bytes.`,
    );
  }

  pullFailed(pod: Cached<Pod>, container: string, image: string, reason: string, message: string): void {
    if (reason === 'InvalidImageName') this.#warning(pod, container, 'InspectFailed', message);
    else if (reason === 'ErrImageNeverPull') this.#warning(pod, container, reason, message);
    else this.#warning(pod, container, 'Failed', `Failed to pull image "${image}": ${message}`);
    this.#recorder.warning(pod, 'Failed', `Error: ${reason}`, { action: `Failed/${reason}/${container}` });
  }

  pullBackOff(pod: Cached<Pod>, container: string, image: string): void {
    this.#normal(pod, container, 'BackOff', `Back-off pulling image "${image}"`);
  }

  cannotStart(pod: Cached<Pod>, container: string, reason: string, message: string): void {
    // What the pod's containers share concerns all of them.
    if (reason === 'CreatePodSandboxError')
      this.#recorder.warning(pod, 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${message}`);
    else this.#warning(pod, container, 'Failed', `Error: ${message}`);
  }

  hookFailed(pod: Cached<Pod>, container: string, hook: 'PostStart' | 'PreStop', message: string): void {
    this.#warning(pod, container, `Failed${hook}Hook`, message);
  }

  created(pod: Cached<Pod>, container: string): void {
    this.#normal(pod, container, 'Created', `Created container: ${container}`);
  }

  started(pod: Cached<Pod>, container: string): void {
    this.#normal(pod, container, 'Started', `Started container ${container}`);
  }

  killing(pod: Cached<Pod>, container: string): void {
    this.#normal(pod, container, 'Killing', `Stopping container ${container}`);
  }

  probeKills(pod: Cached<Pod>, container: string, kind: ProbeKind): void {
    this.#normal(pod, container, 'Killing', `Container ${container} failed ${kind} probe, will be restarted`);
  }

  unhealthy(pod: Cached<Pod>, container: string, kind: ProbeKind, output: string): void {
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    // What one probe says must not be taken for what another one has said.
    this.#recorder.warning(pod, 'Unhealthy', `${name} probe failed: ${output}`, {
      action: `Unhealthy/${kind}/${container}`,
    });
  }

  backOff(pod: Cached<Pod>, container: string): void {
    this.#warning(
      pod,
      container,
      'BackOff',
      `Back-off restarting failed container ${container} in pod ${podFullName(pod)}`,
    );
  }

  resized(pod: Cached<Pod>): void {
    this.#recorder.normal(pod, 'ResizeCompleted', 'Pod resize completed');
  }

  notResized(pod: Cached<Pod>, reason: string, message: string): void {
    this.#recorder.warning(pod, `Resize${reason}`, `Pod resize ${reason}: ${message}`);
  }

  lacksDevices(pod: Cached<Pod>, message: string): void {
    const note = `Failed to prepare dynamic resources: ${message}`;
    this.#recorder.warning(pod, 'FailedPrepareDynamicResources', note);
  }

  /** About the pod as a whole. */
  ended(pod: Cached<Pod>, reason: string, message: string): void {
    this.#recorder.warning(pod, reason, message);
  }

  // The container is part of the action, so that those of two containers are two events.
  #normal(pod: Cached<Pod>, container: string, reason: string, note: string): void {
    this.#recorder.normal(pod, reason, note, { action: `${reason}/${container}` });
  }

  #warning(pod: Cached<Pod>, container: string, reason: string, note: string): void {
    this.#recorder.warning(pod, reason, note, { action: `${reason}/${container}` });
  }
}

/** As node agents name pods in messages: `web_default(uid)`. */
export function podFullName({ metadata }: Cached<Pod>): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
}
