import type { CsiDriver, CsiServices } from '../protocol/services.ts';

/** Which driver volumes are made by, and how many at a time. */
export interface ProvisionerOptions {
  /** Behind a socket, or of this process. */
  readonly driver: CsiDriver | CsiServices;
  /** Of the controllers. @default 'csi-provisioner' */
  readonly name?: string | undefined;
  /** How many claims, and how many volumes, are worked on at a time. @default 32 */
  readonly concurrency?: number | undefined;
  /** How long a call to the driver may take, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** With a selected node, only that node's topology is offered to the driver. @default false */
  readonly strictTopology?: boolean | undefined;
  /** Without a selected node, all nodes' topologies are offered to the driver. @default true */
  readonly immediateTopology?: boolean | undefined;
  /**
   * A volume that is made of a snapshot or of another volume can only be where that is. Its claim then waits for no pod,
   * whatever its class says: the driver decides, and the volume's node affinity tells the scheduler.
   * @default false
   */
  readonly sourceDecides?: boolean | undefined;
  /** The driver is told the names of claim and volume, as parameters. @default false */
  readonly extraCreateMetadata?: boolean | undefined;
  /** For classes that name no file system. @default '', which leaves it to the driver */
  readonly defaultFsType?: string | undefined;
  /** Volumes are called this, a dash, and the uid of their claim. @default 'pvc' */
  readonly volumeNamePrefix?: string | undefined;
  /** The delay after a first failure, in milliseconds. It doubles each time. @default 1000 */
  readonly retryMs?: number | undefined;
  /** The longest delay; also the one after a request that the driver calls wrong. @default 300000 */
  readonly maxRetryMs?: number | undefined;
}

export type ProvisionerSettings = {
  readonly [Key in keyof ProvisionerOptions]-?: NonNullable<ProvisionerOptions[Key]>;
};

export function provisionerSettings(options: ProvisionerOptions): ProvisionerSettings {
  return {
    driver: options.driver,
    name: options.name ?? 'csi-provisioner',
    concurrency: options.concurrency ?? 32,
    timeoutMs: options.timeoutMs ?? 60_000,
    strictTopology: options.strictTopology ?? false,
    immediateTopology: options.immediateTopology ?? true,
    sourceDecides: options.sourceDecides ?? false,
    extraCreateMetadata: options.extraCreateMetadata ?? false,
    defaultFsType: options.defaultFsType ?? '',
    volumeNamePrefix: options.volumeNamePrefix ?? 'pvc',
    retryMs: options.retryMs ?? 1000,
    maxRetryMs: options.maxRetryMs ?? 300_000,
  };
}
