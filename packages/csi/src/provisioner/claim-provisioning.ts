import { type Cached, hasFinalizer, isConflict, keyOf } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { toError } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import type { KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { Volume } from '../generated/csi.ts';
import type { CsiDriver } from '../protocol/services.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { NotYetError, SidecarError } from '../sidecar/errors.ts';
import { annotation, PENDING_FINALIZER, provisionerOf, SELECTED_NODE } from '../sidecar/names.ts';
import { failureKind, provesAbsence } from '../sidecar/outcome.ts';
import { readSecret } from '../sidecar/secrets.ts';
import { decideClaim } from './claim-decision.ts';
import { ClaimWriter } from './claim-writer.ts';
import { CreatePlanning, type PlanFacts } from './create-planning.ts';
import type { CreatePlan } from './create-request.ts';
import { hasSource } from './data-source.ts';
import { DriverVolumes } from './driver-volumes.ts';
import type { ProvisionerSettings } from './options.ts';
import { persistentVolumeOf } from './persistent-volume.ts';

type Claim = Cached<PersistentVolumeClaim>;

/** What is known of a claim's storage since the last call to the driver. */
interface Attempt {
  readonly uid: string;
  /** Asked for again until the driver gives a final answer, so that it recognises its operation. */
  readonly plan: CreatePlan;
  /** `none`: by the driver's word there is nothing. */
  readonly storage: 'none' | 'unknown';
}

/** A call for a volume that failed. */
interface CreateCall {
  readonly plan: CreatePlan;
  /** Whether an earlier call may have made something. */
  readonly hadStorage: boolean;
  /** Whether the scheduler has chosen a node for it. */
  readonly hasNode: boolean;
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
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #manager: Manager;
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #classes: KindClient<StorageClass>;
  readonly #planning: CreatePlanning;
  readonly #writer: ClaimWriter;
  readonly #storage: DriverVolumes;
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
    this.#facts = facts;
    this.#manager = manager;
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
    this.#classes = manager.objects(StorageClass);
    this.#planning = new CreatePlanning(manager, settings);
    this.#writer = new ClaimWriter(this.#claims, this.#volumes);
    this.#storage = new DriverVolumes(driver, settings.timeoutMs);
  }

  /** Keys of claims that a new class or a node's driver may help. */
  get waiting(): Iterable<string> {
    return this.#waiting;
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    try {
      return await this.#reconcile(key, context);
    } catch (error) {
      // The binder and the scheduler write the same claims: nothing has failed.
      if (isConflict(error)) return { requeue: true };
      if (!(error instanceof NotYetError)) throw error;
      context.logger.info('the claim waits for what its volume is made of', { why: error.message });
      return { requeue: true };
    }
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    this.#waiting.delete(key);
    const claim = await this.#claims.find(key, { signal });
    if (claim === undefined || claim.metadata.uid !== this.#attempts.get(key)?.uid)
      this.#attempts.delete(key);
    const isPlaced = claim !== undefined && this.#settings.sourceDecides && hasSource(claim);
    // Asked only for claims that somebody is to provision: the driver may not be up yet.
    if (claim === undefined || (provisionerOf(claim) === undefined && !isPlaced)) return undefined;
    const driver = await this.#facts(signal);
    const className = claim.spec?.storageClassName ?? '';
    const storageClass = className === '' ? undefined : await this.#classes.find(className, { signal });
    const hasVolume = (await this.#volumes.find(this.#planning.volumeName(claim), { signal })) !== undefined;
    const decision = decideClaim({ claim, driver: driver.name, storageClass, hasVolume, isPlaced });
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
      case 'provision': {
        // With no class the decision is another.
        const known = storageClass as Cached<StorageClass>;
        return this.#provision({ claim, storageClass: known, driver }, context);
      }
      default:
        return decision satisfies never;
    }
  }

  async #provision(facts: PlanFacts, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { claim: cached, storageClass, driver } = facts;
    const { signal, recorder } = context;
    const hadStorage = this.#mayHaveStorage(cached);
    const before = this.#attempts.get(keyOf(cached));
    let plan: CreatePlan;
    try {
      // The same as before while the driver may still be at it.
      plan = before?.storage === 'unknown' ? before.plan : await this.#planning.plan(facts, signal);
    } catch (error) {
      return this.#planFailed(cached, error, hadStorage, context);
    }
    const secrets = await readSecret(this.#manager.client, plan.provisionerSecret, signal);
    const claim = await this.#writer.protect(cached, signal);
    if (claim === undefined) return undefined;
    recorder.normal(claim, 'Provisioning', `driver ${driver.name} is making a volume for the claim`);
    this.#attempts.set(keyOf(claim), { uid: claim.metadata.uid, plan, storage: 'unknown' });
    let volume: Volume;
    try {
      volume = await this.#storage.create(plan, secrets, signal);
    } catch (error) {
      const hasNode = annotation(cached, SELECTED_NODE) !== undefined;
      return this.#createFailed({ ...facts, claim }, { plan, hadStorage, hasNode }, error, context);
    }
    const object = persistentVolumeOf({ claim, storageClass, driver, plan, volume });
    await this.#writer.record(claim, object, signal);
    recorder.normal(claim, 'ProvisioningSucceeded', `volume ${plan.request.name} was made`);
    return this.#release(claim, signal);
  }

  async #planFailed(
    claim: Claim,
    error: unknown,
    hadStorage: boolean,
    { signal, recorder }: ReconcileContext,
  ): Promise<undefined> {
    this.#waiting.add(keyOf(claim));
    recorder.warning(claim, 'ProvisioningFailed', toError(error).message);
    const selectedNode = annotation(claim, SELECTED_NODE);
    if (selectedNode === undefined || hadStorage || !(await this.#planning.isGone(selectedNode, signal)))
      throw error;
    return this.#reschedule(claim, signal);
  }

  async #createFailed(
    { claim, storageClass, driver }: PlanFacts,
    { plan, hadStorage, hasNode }: CreateCall,
    error: unknown,
    { signal, recorder, logger }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const kind = failureKind(error, ['INVALID_ARGUMENT']);
    // A final failure made nothing; what an earlier call may have made is there all the same.
    if (provesAbsence(error) || (kind !== 'unknown' && !hadStorage))
      this.#attempts.set(keyOf(claim), { uid: claim.metadata.uid, plan, storage: 'none' });
    const why = `the volume could not be made (class ${storageClass.metadata.name}): ${toError(error).message}`;
    recorder.warning(claim, 'ProvisioningFailed', why);
    const isFull = error instanceof GrpcError && error.code === 'RESOURCE_EXHAUSTED';
    if (isFull && hasNode && driver.hasTopology) return this.#reschedule(claim, signal);
    if (kind !== 'infeasible') throw new SidecarError(why, error);
    logger.warn('the driver refuses the request; it is tried again later', { error: toError(error) });
    return { requeueAfterMs: this.#settings.maxRetryMs };
  }

  /**
   * Gives back what may be there. Whether there is something only the driver knows, and it tells when it is
   * asked for the volume again; so a volume may be made here only to be deleted.
   */
  async #abandon(
    claim: Claim,
    storageClass: Cached<StorageClass> | undefined,
    driver: DriverFacts,
    { signal, recorder, logger }: ReconcileContext,
  ): Promise<undefined> {
    if (!this.#mayHaveStorage(claim)) return this.#release(claim, signal);
    const volumeName = this.#planning.volumeName(claim);
    // What has an object is used by somebody: that must not be deleted.
    if (await this.#writer.hasVolume(volumeName, signal)) return this.#release(claim, signal);
    let plan = this.#attempts.get(keyOf(claim))?.plan;
    if (plan === undefined && storageClass !== undefined)
      plan = await this.#planning.planAgain({ claim, storageClass, driver }, signal);
    if (plan === undefined) {
      const why =
        'the claim goes without its class, so nobody can tell whether the driver made a volume for it';
      recorder.warning(claim, 'ProvisioningCleanupFailed', why);
      logger.warn(why, { volume: volumeName });
      return this.#release(claim, signal);
    }
    try {
      const secrets = await readSecret(this.#manager.client, plan.provisionerSecret, signal);
      await this.#storage.delete(await this.#storage.create(plan, secrets, signal), secrets, signal);
    } catch (error) {
      if (!provesAbsence(error)) throw error;
      logger.info('the driver has no volume for a claim that goes', { error: toError(error) });
    }
    return this.#release(claim, signal);
  }

  #mayHaveStorage(claim: Claim): boolean {
    return hasFinalizer(claim, PENDING_FINALIZER) && this.#attempts.get(keyOf(claim))?.storage !== 'none';
  }

  async #release(claim: Claim, signal: AbortSignal): Promise<undefined> {
    this.#attempts.delete(keyOf(claim));
    await this.#writer.release(claim, signal);
  }

  async #reschedule(claim: Claim, signal: AbortSignal): Promise<undefined> {
    await this.#writer.reschedule(claim, signal);
    this.#attempts.delete(keyOf(claim));
  }
}
