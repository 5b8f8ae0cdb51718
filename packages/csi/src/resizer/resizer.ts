import { type Cached, compareQuantities, keyOf, Quantity, type Served } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { MergePatch } from '@windlass/client';
import {
  isResync,
  type KindClient,
  type Manager,
  type ObjectEvent,
  type ReconcileContext,
  type ReconcileResult,
} from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import type { ControllerExpandVolumeResponse } from '../generated/csi.ts';
import { asDriver } from '../protocol/direct-driver.ts';
import type { CsiDriver, CsiServices } from '../protocol/services.ts';
import { volumeCapability } from '../sidecar/capabilities.ts';
import { type DriverFacts, driverFacts } from '../sidecar/driver-facts.ts';
import { SidecarError } from '../sidecar/errors.ts';
import { failureKind } from '../sidecar/outcome.ts';
import { readSecret } from '../sidecar/secrets.ts';
import { failed, finished, inProgress, nodePending } from './claim-status.ts';
import { decideResize } from './resize-decision.ts';

/** Which driver volumes are resized by, and how many at a time. */
export interface ResizerOptions {
  /** Behind a socket, or of this process. */
  readonly driver: CsiDriver | CsiServices;
  /** Of the controller. @default 'csi-resizer' */
  readonly name?: string | undefined;
  /** How many claims are worked on at a time. @default 10 */
  readonly concurrency?: number | undefined;
  /** How long a call to the driver may take, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** The delay after a first failure, in milliseconds. It doubles each time. @default 1000 */
  readonly retryMs?: number | undefined;
  /** The longest delay; also the one after the driver said that a size is impossible. @default 300000 */
  readonly maxRetryMs?: number | undefined;
}

const MARGIN_MS = 60_000;
/** The size of a claim before it grew on the node, for who must know. */
const PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

type Claim = Cached<PersistentVolumeClaim>;
type Volume = Cached<PersistentVolume>;

/** Grows volumes whose claims ask for more: what the external-resizer does. */
export function addResizer(manager: Manager, options: ResizerOptions): void {
  const { name = 'csi-resizer', concurrency = 10, timeoutMs = 60_000, retryMs = 1000 } = options;
  const { maxRetryMs = 300_000 } = options;
  const { clock, logger, metrics } = manager;
  const driver = asDriver(options.driver, { clock, logger, metrics, timeoutMs });
  const resizing = new Resizing(manager, driver, timeoutMs, maxRetryMs);
  manager
    .controller(name)
    .for(PersistentVolumeClaim, { predicates: [isNews] })
    .reconcile((key, context) => resizing.reconcile(key, context), {
      concurrency,
      timeoutMs: timeoutMs + MARGIN_MS,
      rateLimiter: exponential<string>({ baseMs: retryMs, maxMs: maxRetryMs }),
    });
}

/** What we write ourselves must not make a failed claim's delay shorter. */
function isNews(event: ObjectEvent<PersistentVolumeClaim>): boolean {
  if (event.type !== 'update' || isResync(event)) return event.type !== 'delete';
  const { old, object } = event;
  const state = object.status?.allocatedResourceStatuses?.['storage'];
  return (
    old.spec?.volumeName !== object.spec?.volumeName ||
    old.status?.phase !== object.status?.phase ||
    old.spec?.resources?.requests?.['storage'] !== object.spec?.resources?.requests?.['storage'] ||
    old.status?.capacity?.['storage'] !== object.status?.capacity?.['storage'] ||
    (state?.startsWith('Node') === true && old.status?.allocatedResourceStatuses?.['storage'] !== state)
  );
}

/** A size that the driver cannot give. */
interface Infeasible {
  readonly size: string;
  readonly until: number;
}

class Resizing {
  readonly #manager: Manager;
  readonly #driver: CsiDriver;
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #timeoutMs: number;
  readonly #maxRetryMs: number;
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #volumes: KindClient<PersistentVolume>;
  readonly #finalErrors = new Set<string>();
  readonly #infeasible = new Map<string, Infeasible>();

  constructor(manager: Manager, driver: CsiDriver, timeoutMs: number, maxRetryMs: number) {
    this.#manager = manager;
    this.#driver = driver;
    this.#facts = driverFacts(driver);
    this.#timeoutMs = timeoutMs;
    this.#maxRetryMs = maxRetryMs;
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#volumes = manager.objects(PersistentVolume);
  }

  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const claim = await this.#claims.find(key, { signal });
    const name = claim?.spec?.volumeName ?? '';
    if (claim === undefined || name === '') return this.#forget(key);
    const volume = await this.#volumes.find(name, { signal });
    if (volume?.spec?.csi === undefined) return this.#forget(key);
    const driver = await this.#facts(signal);
    if (volume.spec.csi.driver !== driver.name) return this.#forget(key);
    await this.#removeNote(claim, volume, signal);
    const growsVolumes = driver.controller.has('EXPAND_VOLUME');
    const hasFinalError = this.#finalErrors.has(key);
    const size = decideResize({ claim, volume, driver: driver.name, growsVolumes, hasFinalError });
    if (size === undefined) return this.#forget(key);
    const slow = this.#infeasible.get(key);
    const waitMs = slow === undefined ? 0 : slow.until - this.#manager.clock.monotonic();
    if (slow !== undefined && waitMs > 0 && compareQuantities(slow.size, size) === 0)
      return { requeueAfterMs: waitMs };
    return this.#grow(claim, volume, size, driver, context);
  }

  #forget(key: string): undefined {
    this.#finalErrors.delete(key);
    this.#infeasible.delete(key);
  }

  async #grow(
    before: Claim,
    volume: Volume,
    size: string,
    driver: DriverFacts,
    { signal, recorder, key }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const { clock } = this.#manager;
    const marks = inProgress(before, size, clock);
    const claim = marks === undefined ? before : await this.#patch(before, marks, signal);
    recorder.normal(claim, 'Resizing', `driver ${driver.name} is growing volume ${volume.metadata.name}`);
    let answer: ControllerExpandVolumeResponse;
    try {
      answer = await this.#expand(volume, size, driver, signal);
    } catch (error) {
      const kind = failureKind(error, ['INVALID_ARGUMENT', 'OUT_OF_RANGE', 'NOT_FOUND']);
      const why = toError(error).message;
      recorder.warning(
        claim,
        'VolumeResizeFailed',
        `volume ${volume.metadata.name} could not be grown: ${why}`,
      );
      if (kind === 'unknown') {
        this.#forget(key);
        throw error;
      }
      this.#finalErrors.add(key);
      await this.#patch(claim, failed(claim, why, kind === 'infeasible', clock), signal);
      if (kind === 'final') throw error;
      this.#infeasible.set(key, { size, until: clock.monotonic() + this.#maxRetryMs });
      return { requeueAfterMs: this.#maxRetryMs };
    }
    this.#forget(key);
    const reached = Quantity.of(answer.capacityBytes, 'BinarySI').toString();
    await this.#record(claim, volume, reached, answer.nodeExpansionRequired, signal);
    if (answer.nodeExpansionRequired) {
      await this.#patch(claim, nodePending(claim, clock), signal);
      recorder.normal(claim, 'FileSystemResizeRequired', 'Require file system resize of volume on node');
    } else {
      await this.#patch(claim, finished(claim, reached), signal);
      recorder.normal(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded');
    }
    return undefined;
  }

  async #expand(
    volume: Volume,
    size: string,
    driver: DriverFacts,
    signal: AbortSignal,
  ): Promise<ControllerExpandVolumeResponse> {
    const requiredBytes = Quantity.from(size).value();
    if (!driver.controller.has('EXPAND_VOLUME'))
      return { capacityBytes: requiredBytes, nodeExpansionRequired: true };
    const { controllerExpandSecretRef: reference, volumeHandle } = volume.spec?.csi ?? {};
    const secret = reference && { name: reference.name ?? '', namespace: reference.namespace ?? '' };
    const answer = await this.#driver.controllerExpandVolume(
      {
        volumeId: volumeHandle,
        capacityRange: { requiredBytes },
        secrets: await readSecret(this.#manager.client, secret, signal),
        volumeCapability: volumeCapability(volume, driver.controller.has('SINGLE_NODE_MULTI_WRITER')),
      },
      { signal, timeoutMs: this.#timeoutMs },
    );
    if (answer.capacityBytes < requiredBytes)
      throw new SidecarError(
        `the driver has grown the volume to ${answer.capacityBytes} of ${requiredBytes} bytes`,
      );
    return answer;
  }

  /** The volume's object first: a claim must not promise what its volume does not have. */
  async #record(
    claim: Claim,
    volume: Volume,
    size: string,
    onNode: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const old = volume.spec?.capacity?.['storage'] ?? '0';
    const isNoted = volume.metadata?.annotations?.[PRE_RESIZE_CAPACITY] !== undefined;
    const notes = onNode && !isNoted;
    if (compareQuantities(old, size) >= 0 && !notes) return;
    const before = claim.status?.capacity?.['storage'] ?? old;
    await this.#volumes.patch(
      keyOf(volume),
      {
        ...(compareQuantities(old, size) < 0 ? { spec: { capacity: { storage: size } } } : {}),
        ...(notes ? { metadata: { annotations: { [PRE_RESIZE_CAPACITY]: before } } } : {}),
      },
      { signal },
    );
  }

  async #removeNote(claim: Claim, volume: Volume, signal: AbortSignal): Promise<void> {
    if (volume.metadata?.annotations?.[PRE_RESIZE_CAPACITY] === undefined) return;
    const [has = '0', wants = '0'] = [
      claim.status?.capacity?.['storage'],
      volume.spec?.capacity?.['storage'],
    ];
    if (compareQuantities(has, wants) < 0) return;
    await this.#volumes.patch(
      keyOf(volume),
      { metadata: { annotations: { [PRE_RESIZE_CAPACITY]: null } } },
      { signal },
    );
  }

  /** With the version, so that what a node says at the same time is not overwritten. */
  #patch(
    claim: Claim,
    patch: MergePatch<PersistentVolumeClaim>,
    signal: AbortSignal,
  ): Promise<Served<PersistentVolumeClaim>> {
    const { resourceVersion } = claim.metadata ?? {};
    const metadata = { ...patch.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    return this.#claims.status.patch(keyOf(claim), { ...patch, metadata }, { signal });
  }
}
