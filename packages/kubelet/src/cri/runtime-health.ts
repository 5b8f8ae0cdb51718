import type { Clock, Timer } from '@windlass/base';
import type { CriClient } from './cri-client.ts';
import type { RuntimeCondition } from './generated/cri.ts';

/** Its node says so with its next heartbeat. */
const LOOK_MS = 5000;
const ANSWER_MS = 10_000;
const DEFAULT_NETWORK_FOLDER = '/etc/cni/net.d';

export interface RuntimeHealthOptions {
  readonly client: CriClient;
  readonly clock: Clock;
  readonly endpoint: string;
}

/** Whether the container runtime can run pods, looked at every few seconds. */
export class RuntimeHealth implements Disposable {
  readonly #options: RuntimeHealthOptions;
  #problem: string | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: RuntimeHealthOptions) {
    this.#options = options;
  }

  /** In one sentence; undefined: there is none. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Looks now, and again after a while. */
  async look(): Promise<void> {
    const { client, clock, endpoint } = this.#options;
    try {
      const { status } = await client.status({}, { timeoutMs: ANSWER_MS });
      const wrong = status?.conditions.find((condition) => !condition.status);
      this.#problem = wrong === undefined ? undefined : explain(wrong, await this.#networkFolder(wrong));
    } catch {
      this.#problem = `the container runtime at ${endpoint} does not answer; containers run on, and nothing new starts until it does`;
    }
    if (this.#isClosed) return;
    this.#timer = clock.setTimeout(() => void this.look(), LOOK_MS, { keepAlive: false });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Where the runtime looks for the configuration of its network. */
  async #networkFolder({ type }: RuntimeCondition): Promise<string> {
    if (type !== 'NetworkReady') return DEFAULT_NETWORK_FOLDER;
    const { info } = await this.#options.client.status({ verbose: true }, { timeoutMs: ANSWER_MS });
    const folder = /"confDir":\s*"([^"]+)"/.exec(info['config'] ?? '')?.[1];
    return folder ?? DEFAULT_NETWORK_FOLDER;
  }
}

function explain({ type, reason, message }: RuntimeCondition, folder: string): string {
  const why = message === '' ? reason : message;
  if (type === 'NetworkReady')
    return `the container runtime has no network for pods (${why}): put a CNI configuration into ${folder}`;
  return `the container runtime is not ready (${why})`;
}
