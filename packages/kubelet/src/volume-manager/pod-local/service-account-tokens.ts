import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Pod, ServiceAccountTokenProjection } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { IssuedToken, VolumeObjects } from '../volume-objects.ts';

interface Known extends IssuedToken {
  readonly renewAt: number;
}

const DEFAULT_SECONDS = 3600;
/** A token is replaced when so much of its life is over, so that no reader ever meets one that has expired. */
const USED_SHARE = 0.8;

/** The tokens of a node's pods, asked for once and again in time. */
export class ServiceAccountTokens {
  readonly #objects: VolumeObjects;
  readonly #clock: Clock;
  /** By the pod's uid, then by what was asked for. */
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(objects: VolumeObjects, clock: Clock) {
    this.#objects = objects;
    this.#clock = clock;
  }

  async token(
    pod: Cached<Pod>,
    wanted: Pick<DeepReadonly<ServiceAccountTokenProjection>, 'audience' | 'expirationSeconds'>,
    signal: AbortSignal,
  ): Promise<IssuedToken> {
    const { audience, expirationSeconds: seconds = DEFAULT_SECONDS } = wanted;
    const uid = pod.metadata.uid;
    const of = this.#known.get(uid) ?? new Map<string, Known>();
    this.#known.set(uid, of);
    const key = `${seconds} ${audience ?? ''}`;
    const known = of.get(key);
    const now = this.#clock.now();
    if (known !== undefined && known.renewAt > now) return known;
    const order = { pod, seconds, ...(audience !== undefined && { audience }) };
    const issued = await this.#objects.token(order, signal);
    of.set(key, { ...issued, renewAt: now + (issued.expiresAt - now) * USED_SHARE });
    return issued;
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }
}
