import {
  BIND_COMPLETED,
  claimsOfPod,
  findMatchingVolume,
  isNotFound,
  keyOf,
  storageClassOf,
} from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { CachedKind, KindClient, Manager } from '@windlass/runtime';
import { annotationsOf } from '../shared/meta.ts';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import type { ClaimContext, ReadonlyClaim, ReadonlyVolume } from './decide-claim.ts';
import { defaultClassOf, isDefaultClass, type ReadonlyClass } from './storage-classes.ts';

/** Free volumes by their class, others by the claim that they name. */
const VOLUMES = 'windlass.dev/volume-for';
/** Claims without a volume, by their class. */
const UNBOUND = 'windlass.dev/unbound-claims-of-class';
const PODS = 'windlass.dev/pods-by-claim';

const freeOf = (className: string): string => `free:${className}`;
const namedBy = (claim: string): string => `named:${claim}`;

const isUnbound = (claim: ReadonlyClaim): boolean => annotationsOf(claim)[BIND_COMPLETED] === undefined;
const claimKeysOf = (pod: ReadonlyPod): string[] =>
  claimsOfPod(pod).map(({ claim }) => `${pod.metadata.namespace}/${claim}`);

function claimNamedBy({ spec }: ReadonlyVolume): string | undefined {
  const { namespace = '', name = '' } = spec?.claimRef ?? {};
  return spec?.claimRef === undefined ? undefined : `${namespace}/${name}`;
}

/** What the binder looks at, by indexes: a claim does not see thousands of volumes that are others'. */
export class BinderReads {
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #classes: KindClient<StorageClass>;
  readonly #pods: KindClient<Pod>;
  readonly #cachedClaims: CachedKind<PersistentVolumeClaim>;
  readonly #cachedVolumes: CachedKind<PersistentVolume>;

  constructor(manager: Manager) {
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
    this.#classes = manager.objects(StorageClass);
    this.#pods = manager.objects(Pod);
    this.#cachedClaims = manager.cluster.cache.kind(PersistentVolumeClaim);
    this.#cachedVolumes = manager.cluster.cache.kind(PersistentVolume);
    this.#claims.addIndex(UNBOUND, (claim) => (isUnbound(claim) ? [storageClassOf(claim)] : []));
    this.#volumes.addIndex(VOLUMES, (volume) => {
      const claim = claimNamedBy(volume);
      return [claim === undefined ? freeOf(storageClassOf(volume)) : namedBy(claim)];
    });
    this.#pods.addIndex(PODS, claimKeysOf);
  }

  /** A claim concerns the volume that it names, and those that name it: it may go before it has named its own. */
  readonly keysOfClaim = (claim: ReadonlyClaim): string[] => {
    const { volumeName = '' } = claim.spec ?? {};
    const named = this.#cachedVolumes
      .byIndex(VOLUMES, namedBy(keyOf(claim)))
      .map(({ metadata }) => metadata.name);
    const names = new Set([...(volumeName === '' ? [] : [volumeName]), ...named]);
    return [`claim:${keyOf(claim)}`, ...[...names].map((name) => `volume:${name}`)];
  };

  /** A volume concerns its claim; a free one each claim that it would do for. */
  readonly keysOfVolume = (volume: ReadonlyVolume): string[] => {
    const named = claimNamedBy(volume);
    const own = `volume:${volume.metadata.name}`;
    if (named !== undefined) return [own, `claim:${named}`];
    const waiting = this.#cachedClaims
      .byIndex(UNBOUND, storageClassOf(volume))
      .filter(
        (claim) =>
          claim.spec?.volumeName === volume.metadata.name ||
          findMatchingVolume(claim, [volume]) !== undefined,
      );
    return [own, ...waiting.map((claim) => `claim:${keyOf(claim)}`)];
  };

  readonly keysOfClass = (storageClass: ReadonlyClass): string[] =>
    [storageClass.metadata.name, ...(isDefaultClass(storageClass) ? [''] : [])]
      .flatMap((className) => this.#cachedClaims.byIndex(UNBOUND, className))
      .map((claim) => `claim:${keyOf(claim)}`);

  /** What a claim waits for reads differently when a pod wants it. */
  readonly keysOfPod = (pod: ReadonlyPod): string[] =>
    claimKeysOf(pod)
      .filter((key) => this.#cachedClaims.find(key)?.status?.phase === 'Pending')
      .map((key) => `claim:${key}`);

  async contextOf(claim: ReadonlyClaim, signal: AbortSignal): Promise<ClaimContext> {
    const { volumeName = '' } = claim.spec ?? {};
    const className = storageClassOf(claim);
    const listed = (value: string): Promise<ReadonlyVolume[]> =>
      this.#volumes.list({ index: { name: VOLUMES, value }, signal });
    const isOpen = volumeName === '' && isUnbound(claim);
    const [named, volumes, storageClass, classes, pods] = await Promise.all([
      volumeName === '' ? undefined : this.#volumes.find(volumeName, { signal }),
      isOpen ? Promise.all([listed(namedBy(keyOf(claim))), listed(freeOf(className))]) : [],
      className === '' ? undefined : this.#classes.find(className, { signal }),
      isOpen ? this.#classes.list({ signal }) : [],
      isOpen ? this.#podsOf(keyOf(claim), signal) : [],
    ]);
    return {
      named,
      match: (waits) => findMatchingVolume(claim, volumes.flat(), { waitsForConsumer: waits }),
      storageClass,
      defaultClass: defaultClassOf(classes),
      waitingPods: pods
        .filter(({ spec }) => (spec?.nodeName ?? '') === '')
        .map(({ metadata }) => metadata.name),
    };
  }

  /** `namespace/name` of the pods that use the claim and have not ended. */
  async podsUsing(claim: string, signal: AbortSignal): Promise<string[]> {
    return (await this.#podsOf(claim, signal)).map(keyOf).toSorted();
  }

  /** By the server's word: data is not declared lost on hearsay. */
  async isLostForSure(claim: ReadonlyClaim, signal: AbortSignal): Promise<boolean> {
    const { volumeName = '' } = claim.spec ?? {};
    if (volumeName === '') return true;
    try {
      const { spec } = await this.#volumes.live().get(volumeName, { signal });
      return spec?.claimRef !== undefined && spec.claimRef.uid !== claim.metadata.uid;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  async #podsOf(claim: string, signal: AbortSignal): Promise<ReadonlyPod[]> {
    const pods = await this.#pods.list({ index: { name: PODS, value: claim }, signal });
    return pods
      .filter((pod) => !isTerminal(pod))
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }
}
