import { GrpcError } from '@windlass/grpc';
import type { Volume } from '../generated/csi.ts';
import type { CsiDriver } from '../protocol/services.ts';
import type { CreatePlan } from './create-request.ts';

/** What the provisioner asks of a driver. */
export class DriverVolumes {
  readonly #driver: CsiDriver;
  readonly #timeoutMs: number;

  constructor(driver: CsiDriver, timeoutMs: number) {
    this.#driver = driver;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws GrpcError, UNAVAILABLE also for a volume that is too small and was given back */
  async create(plan: CreatePlan, secrets: Record<string, string>, signal: AbortSignal): Promise<Volume> {
    const timeoutMs = this.#timeoutMs;
    const { volume } = await this.#driver.createVolume({ ...plan.request, secrets }, { signal, timeoutMs });
    if (volume === undefined || volume.volumeId === '')
      throw new GrpcError('UNAVAILABLE', 'the driver says that it has made a volume, and not which');
    if (volume.capacityBytes !== 0 && volume.capacityBytes < plan.bytes) {
      await this.delete(volume, secrets, signal);
      throw new GrpcError('UNAVAILABLE', `the volume has ${volume.capacityBytes} of ${plan.bytes} bytes`);
    }
    return volume;
  }

  async delete({ volumeId }: Volume, secrets: Record<string, string>, signal: AbortSignal): Promise<void> {
    await this.#driver.deleteVolume({ volumeId, secrets }, { signal, timeoutMs: this.#timeoutMs });
  }
}
