import {
  addFinalizer,
  type DeepReadonly,
  deepCopy,
  hasFinalizer,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  keyOf,
  removeFinalizer,
} from '@windlass/apimachinery';
import { Node, PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSINode, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { toError } from '@windlass/base';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { TopologyRequirement, Volume } from '../generated/csi.ts';
import { GrpcError } from '../grpc/errors.ts';
import type { MessageInit } from '../grpc/service.ts';
import type { CsiDriver } from '../protocol/services.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { SidecarError } from '../sidecar/errors.ts';
import { annotation, PENDING_FINALIZER, provisionerOf, SELECTED_NODE } from '../sidecar/names.ts';
import { failureKind, provesAbsence } from '../sidecar/outcome.ts';
import { readSecret } from '../sidecar/secrets.ts';
import { accessibilityRequirements } from './accessibility.ts';
import { decideClaim } from './claim-decision.ts';
import { type CreatePlan, planCreate } from './create-request.ts';
import type { ProvisionerSettings } from './options.ts';
import { persistentVolumeOf } from './persistent-volume.ts';

type Claim = DeepReadonly<PersistentVolumeClaim>;

/** What is known of a claim's storage since the last call to the driver. */
interface Attempt {
  readonly uid: string;
  /** Asked for again until the driver gives a final answer, so that it recognises its operation. */
  readonly plan: CreatePlan;
  /** `none`: by the driver's word there is nothing. */
  readonly storage: 'none' | 'unknown';
}

/**
 * Makes volumes for claims. The order of writes keeps what a crash may leave behind in reach:
 *
 *   finalizer on the claim ─► CreateVolume ─► volume object ─► finalizer off
 *
 * From the first write on the claim cannot vanish, so that a successor finds it, asks the driver again (the
 * name is the same, and so is the answer) and goes on; or, where the claim is to go, gives the storage back.
 */
export class ClaimProvisioning {
  readonly #settings: ProvisionerSettings;
  readonly #driver: CsiDriver;
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #manager: Manager;
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #classes: KindClient<StorageClass>;
  readonly #nodes: KindClient<Node>;
  readonly #csiNodes: KindClient<CSINode>;
  readonly #attempts = new Map<string, Attempt>();
  /** Claims that wait for a class, or for the driver to come to a node. */
  readonly #waiting = new Set<string>();

  constructor(
    manager: Manager,
    settings: ProvisionerSettings,
    driver: CsiDriver,
    facts: (signal?: AbortSignal) => Promise<DriverFacts>,
  ) {
    this.#settings = settings;
    this.#driver = driver;
    this.#facts = facts;
    this.#manager = manager;
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
    this.#classes = manager.objects(StorageClass);
    this.#nodes = manager.objects(Node);
    this.#csiNodes = manager.objects(CSINode);
  }

  /** Keys of claims that a new class or a node's driver may help. */
  get waiting(): Iterable<string> {
    return this.#waiting;
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    this.#waiting.delete(key);
    const claim = await this.#claims.find(key, { signal });
    if (claim === undefined || claim.metadata?.uid !== this.#attempts.get(key)?.uid)
      this.#attempts.delete(key);
    // Asked only for claims that somebody is to provision: the driver may not be up yet.
    if (claim === undefined || provisionerOf(claim) === undefined) return undefined;
    const driver = await this.#facts(signal);
    const className = claim.spec?.storageClassName ?? '';
    const storageClass = className === '' ? undefined : await this.#classes.find(className, { signal });
    const hasVolume = (await this.#volumes.find(this.#volumeName(claim), { signal })) !== undefined;
    const decision = decideClaim({ claim, driver: driver.name, storageClass, hasVolume });
    switch (decision) {
      case 'ignore':
        return undefined;
      case 'release':
        return this.#release(claim, signal);
      case 'abandon':
        return this.#abandon(claim, storageClass, driver, context);
      case 'no class':
        this.#waiting.add(key);
        throw new SidecarError(`the claim's storage class "${className}" is not there`);
      case 'provision':
        // With no class the decision is another.
        return this.#provision(claim, storageClass as DeepReadonly<StorageClass>, driver, context);
      default:
        return decision satisfies never;
    }
  }

  #volumeName(claim: Claim): string {
    return `${this.#settings.volumeNamePrefix}-${claim.metadata?.uid ?? ''}`;
  }

  async #provision(
    cached: Claim,
    storageClass: DeepReadonly<StorageClass>,
    driver: DriverFacts,
    { signal, recorder, logger }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const selectedNode = annotation(cached, SELECTED_NODE);
    let plan: CreatePlan;
    try {
      plan = await this.#plan(cached, storageClass, driver, selectedNode, signal);
    } catch (error) {
      this.#waiting.add(keyOf(cached));
      recorder.warning(cached, 'ProvisioningFailed', toError(error).message);
      if (
        selectedNode !== undefined &&
        !this.#mayHaveStorage(cached) &&
        (await this.#isGone(selectedNode, signal))
      )
        return this.#reschedule(cached, signal);
      throw error;
    }
    const hadStorage = this.#mayHaveStorage(cached);
    const secrets = await readSecret(this.#manager.client, plan.provisionerSecret, signal);
    const claim = await this.#protect(cached, signal);
    if (claim === undefined) return undefined;
    recorder.normal(claim, 'Provisioning', `driver ${driver.name} is making a volume for the claim`);
    const uid = claim.metadata?.uid ?? '';
    this.#attempts.set(keyOf(claim), { uid, plan, storage: 'unknown' });
    let volume: Volume;
    try {
      volume = await this.#create(plan, secrets, signal);
    } catch (error) {
      const kind = failureKind(error, ['INVALID_ARGUMENT']);
      // A final failure made nothing; what an earlier call may have made is there all the same.
      if (provesAbsence(error) || (kind !== 'unknown' && !hadStorage))
        this.#attempts.set(keyOf(claim), { uid, plan, storage: 'none' });
      const why = `the volume could not be made (class ${storageClass.metadata?.name}): ${toError(error).message}`;
      recorder.warning(claim, 'ProvisioningFailed', why);
      const isFull = error instanceof GrpcError && error.code === 'RESOURCE_EXHAUSTED';
      if (isFull && selectedNode !== undefined && driver.hasTopology) return this.#reschedule(claim, signal);
      if (kind !== 'infeasible') throw new SidecarError(why, error);
      logger.warn('the driver refuses the request; it is tried again later', { error: toError(error) });
      return { requeueAfterMs: this.#settings.maxRetryMs };
    }
    await this.#record(claim, persistentVolumeOf({ claim, storageClass, driver, plan, volume }), signal);
    recorder.normal(claim, 'ProvisioningSucceeded', `volume ${plan.request.name} was made`);
    return this.#release(claim, signal);
  }

  /** What to ask for; the same as before while the driver may still be at it. */
  async #plan(
    claim: Claim,
    storageClass: DeepReadonly<StorageClass>,
    driver: DriverFacts,
    selectedNode: string | undefined,
    signal: AbortSignal,
  ): Promise<CreatePlan> {
    const before = this.#attempts.get(keyOf(claim));
    if (before?.storage === 'unknown') return before.plan;
    const accessibility = driver.hasTopology
      ? await this.#accessibility(claim, storageClass, driver, selectedNode, signal)
      : undefined;
    return this.#planWith(claim, storageClass, driver, accessibility);
  }

  #planWith(
    claim: Claim,
    storageClass: DeepReadonly<StorageClass>,
    driver: DriverFacts,
    accessibility: MessageInit<TopologyRequirement> | undefined,
  ): CreatePlan {
    const { defaultFsType, extraCreateMetadata } = this.#settings;
    const volumeName = this.#volumeName(claim);
    return planCreate({
      claim,
      storageClass,
      volumeName,
      driver,
      defaultFsType,
      extraCreateMetadata,
      accessibility,
    });
  }

  async #accessibility(
    claim: Claim,
    storageClass: DeepReadonly<StorageClass>,
    driver: DriverFacts,
    selectedNode: string | undefined,
    signal: AbortSignal,
  ): Promise<MessageInit<TopologyRequirement> | undefined> {
    const { strictTopology: strict, immediateTopology: immediate } = this.#settings;
    // Strictly, no other node counts; then a claim costs the same however many there are.
    const only = strict ? selectedNode : undefined;
    const choose = async <T extends KubeObject>(kind: KindClient<T>): Promise<DeepReadonly<T>[]> => {
      if (only === undefined) return kind.list({ signal });
      const found = await kind.find(only, { signal });
      return found === undefined ? [] : [found];
    };
    return accessibilityRequirements({
      driver: driver.name,
      claimName: claim.metadata?.name ?? '',
      allowedTopologies: storageClass.allowedTopologies ?? [],
      selectedNode,
      strict,
      immediate,
      nodes: await choose(this.#nodes),
      csiNodes: await choose(this.#csiNodes),
    });
  }

  /** @throws GrpcError, UNAVAILABLE also for a volume that is too small and was given back */
  async #create(plan: CreatePlan, secrets: Record<string, string>, signal: AbortSignal): Promise<Volume> {
    const { timeoutMs } = this.#settings;
    const { volume } = await this.#driver.createVolume({ ...plan.request, secrets }, { signal, timeoutMs });
    if (volume === undefined || volume.volumeId === '')
      throw new GrpcError('UNAVAILABLE', 'the driver says that it has made a volume, and not which');
    if (volume.capacityBytes !== 0 && volume.capacityBytes < plan.bytes) {
      await this.#driver.deleteVolume({ volumeId: volume.volumeId, secrets }, { signal, timeoutMs });
      throw new GrpcError('UNAVAILABLE', `the volume has ${volume.capacityBytes} of ${plan.bytes} bytes`);
    }
    return volume;
  }

  async #record(claim: Claim, object: PersistentVolume, signal: AbortSignal): Promise<void> {
    try {
      await this.#volumes.create(object, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // An answer that was lost, or a predecessor's work.
      const present = await this.#volumes.live().get(object.metadata?.name ?? '', { signal });
      const isOurs =
        present.spec?.claimRef?.uid === claim.metadata?.uid &&
        present.spec?.csi?.volumeHandle === object.spec?.csi?.volumeHandle;
      if (!isOurs)
        throw new SidecarError(`a volume ${object.metadata?.name} of somebody else is there`, error);
    }
  }

  /** The claim as the server has it now, with our finalizer. Undefined when it goes or is another one. */
  async #protect(cached: Claim, signal: AbortSignal): Promise<Claim | undefined> {
    // A finalizer in the cache may be gone on the server, and the claim with it.
    if (hasFinalizer(cached, PENDING_FINALIZER)) {
      const live = await this.#live(cached, signal);
      return live !== undefined && hasFinalizer(live, PENDING_FINALIZER) ? live : undefined;
    }
    return this.#claims.update(deepCopy<PersistentVolumeClaim>(addFinalizer(cached, PENDING_FINALIZER)), {
      signal,
    });
  }

  async #live(claim: Claim, signal: AbortSignal): Promise<PersistentVolumeClaim | undefined> {
    const { name = '', namespace = '', uid } = claim.metadata ?? {};
    try {
      const live = await this.#claims.live(namespace).get(name, { signal });
      return live.metadata?.uid === uid ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #release(claim: Claim, signal: AbortSignal): Promise<undefined> {
    this.#attempts.delete(keyOf(claim));
    if (!hasFinalizer(claim, PENDING_FINALIZER)) return;
    await this.#claims.update(deepCopy<PersistentVolumeClaim>(removeFinalizer(claim, PENDING_FINALIZER)), {
      signal,
    });
  }

  /** Tells the scheduler to choose anew. One write: nothing is left, so the finalizer goes with it. */
  async #reschedule(claim: Claim, signal: AbortSignal): Promise<undefined> {
    const next = deepCopy<PersistentVolumeClaim>(removeFinalizer(claim, PENDING_FINALIZER));
    delete next.metadata?.annotations?.[SELECTED_NODE];
    await this.#claims.update(next, { signal });
    this.#attempts.delete(keyOf(claim));
  }

  /** Whether the node itself is not there, by the server's word. */
  async #isGone(node: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#nodes.live().get(node, { signal });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  #mayHaveStorage(claim: Claim): boolean {
    return hasFinalizer(claim, PENDING_FINALIZER) && this.#attempts.get(keyOf(claim))?.storage !== 'none';
  }

  /**
   * Gives back what may be there. Whether there is something only the driver knows, and it tells when it is
   * asked for the volume again; so a volume may be made here only to be deleted.
   */
  async #abandon(
    claim: Claim,
    storageClass: DeepReadonly<StorageClass> | undefined,
    driver: DriverFacts,
    { signal, recorder, logger }: ReconcileContext,
  ): Promise<undefined> {
    if (!this.#mayHaveStorage(claim)) return this.#release(claim, signal);
    // The cache may be late, and what has an object is used by somebody: that must not be deleted.
    if (await this.#hasLiveVolume(claim, signal)) return this.#release(claim, signal);
    let plan = this.#attempts.get(keyOf(claim))?.plan;
    if (plan === undefined && storageClass !== undefined) {
      const node = annotation(claim, SELECTED_NODE);
      const where = await this.#accessibility(claim, storageClass, driver, node, signal).catch(
        () => undefined,
      );
      plan = this.#planWith(claim, storageClass, driver, where);
    }
    if (plan === undefined) {
      const why =
        'the claim goes without its class, so nobody can tell whether the driver made a volume for it';
      recorder.warning(claim, 'ProvisioningCleanupFailed', why);
      logger.warn(why, { volume: this.#volumeName(claim) });
      return this.#release(claim, signal);
    }
    try {
      const secrets = await readSecret(this.#manager.client, plan.provisionerSecret, signal);
      const volume = await this.#create(plan, secrets, signal);
      const { timeoutMs } = this.#settings;
      await this.#driver.deleteVolume({ volumeId: volume.volumeId, secrets }, { signal, timeoutMs });
    } catch (error) {
      if (!provesAbsence(error)) throw error;
      logger.info('the driver has no volume for a claim that goes', { error: toError(error) });
    }
    return this.#release(claim, signal);
  }

  async #hasLiveVolume(claim: Claim, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#volumes.live().get(this.#volumeName(claim), { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
