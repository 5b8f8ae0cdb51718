import { type Cached, type DeepReadonly, isNotFound } from '@windlass/apimachinery';
import { throwIfAborted } from '@windlass/base';
import { retryOnConflict } from '@windlass/client';
import type { KindClient, ReconcileContext } from '@windlass/runtime';
import type { NodeContext } from '../node-service/node-context.ts';
import { messageOf } from '../node-service/requests.ts';
import { type BlockDevice, deviceId, majorMinorOfId } from '../os/index.ts';
import {
  type DirectPVInitRequest,
  EVENT_REASONS,
  type InitDevice,
  type InitDeviceResult,
  type InitStatus,
  LABELS,
  nodeLabelValue,
} from '../resources/index.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { initDevice, uuidOf } from './init-device.ts';

type Request = Cached<DirectPVInitRequest>;

export interface InitHandlerOptions {
  readonly inventory: DeviceInventory;
  readonly requests: KindClient<DirectPVInitRequest>;
  /** Of devices that are formatted at a time, over all requests. */
  readonly limit: ConcurrencyLimit;
}

/** Answers requests to format devices: each device for itself, and nothing but what was seen when it was asked for. */
export class InitHandler {
  readonly #context: NodeContext;
  readonly #options: InitHandlerOptions;

  constructor(context: NodeContext, options: InitHandlerOptions) {
    this.#context = context;
    this.#options = options;
  }

  readonly reconcile = async (name: string, { signal, recorder }: ReconcileContext): Promise<void> => {
    const request = await this.#read(name, signal);
    if (request?.metadata?.labels?.[LABELS.node] !== nodeLabelValue(this.#context.nodeName)) return;
    if (request.status.status !== 'Pending') return;
    const devices = request.spec?.devices ?? [];
    const wrong = devices.find(({ id }) => majorMinorOfId(id) === undefined);
    if (wrong !== undefined) {
      const error = `device ${wrong.name} has no valid id: ${JSON.stringify(wrong.id)}; discover devices again`;
      recorder.warning(request, EVENT_REASONS.initError, error);
      await this.#answer(
        name,
        'Error',
        devices.map((device) => ({ name: device.name, error })),
        signal,
      );
      return;
    }
    // What was found a moment ago may be what has changed.
    this.#options.inventory.forget();
    const found = await this.#options.inventory.devices();
    const results = await Promise.all(
      devices.map((device) => this.#options.limit.run(() => this.#init(request, device, found, signal))),
    );
    this.#options.inventory.forget();
    throwIfAborted(signal);
    await this.#answer(name, 'Processed', results, signal);
  };

  async #init(
    request: Request,
    order: DeepReadonly<InitDevice>,
    found: readonly BlockDevice[],
    signal: AbortSignal,
  ): Promise<InitDeviceResult> {
    const { nodeName, logger } = this.#context;
    const { id, name, force } = order;
    const fsuuid = uuidOf(`${request.metadata.uid} ${id}`);
    const device = found.find(({ majorMinor }) => majorMinor === majorMinorOfId(id));
    if (device === undefined) return { name, error: 'device not found' };
    try {
      // What this very order has begun has changed the device, too.
      if (device.contents?.fsuuid !== fsuuid && deviceId(device, nodeName) !== id)
        return { name, error: 'device state changed' };
      await initDevice(this.#context, { device, id, devices: found, force, fsuuid, signal });
      return { name };
    } catch (error) {
      // Nothing is answered then: the request is still pending at the next start.
      if (signal.aborted) throw error;
      logger.warn('a device was not initialised', { device: name, error });
      return { name, error: messageOf(error) };
    }
  }

  async #answer(
    name: string,
    status: InitStatus,
    results: readonly InitDeviceResult[],
    signal: AbortSignal,
  ): Promise<void> {
    const { requests } = this.#options;
    const { clock, random } = this.#context;
    await retryOnConflict(
      async () => {
        const newest = await this.#read(name, signal);
        if (newest === undefined) return;
        const answered = { ...newest, status: { status, results: [...results] } };
        // A client takes what it is to write as its own, but does not change it.
        await requests.update(answered as DirectPVInitRequest, { signal });
      },
      { clock, random, signal },
    );
  }

  async #read(name: string, signal: AbortSignal): Promise<Request | undefined> {
    try {
      return await this.#options.requests.live().get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
