import { type Cached, deepCopy, isAlreadyExists, keyOf, type OwnerReference } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { CSINode, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { KindClient, Manager, ReconcileContext } from '@windlass/runtime';
import type { CsiDriver } from '../protocol/services.ts';
import { driverParameters } from '../provisioner/class-parameters.ts';
import { type DriverFacts, driverFacts } from '../sidecar/driver-facts.ts';
import { segmentsOf, type Term, termOfNode, topologyKeysOf } from '../sidecar/topology.ts';
import {
  capacityObject,
  DRIVER_LABEL,
  MANAGED_BY_LABEL,
  saysTheSame,
  segmentKey,
  segmentOfObject,
} from './capacity-object.ts';

/** The key under which it finds out which segments there are. All other keys are segments. */
export const PLAN = 'plan';

export interface PublishingOptions {
  readonly namespace: string;
  readonly owner?: OwnerReference | undefined;
  readonly managedBy?: string | undefined;
  readonly immediateBinding?: boolean | undefined;
  readonly timeoutMs: number;
  readonly enqueue: (segment: string) => void;
}

/** Keeps the objects of each segment as the driver says. */
export class Publishing {
  readonly #options: PublishingOptions;
  readonly #managedBy: string;
  readonly #driver: CsiDriver;
  readonly #facts: (signal?: AbortSignal) => Promise<DriverFacts>;
  readonly #classes: KindClient<StorageClass>;
  readonly #nodes: KindClient<Node>;
  readonly #csiNodes: KindClient<CSINode>;
  readonly #objects: KindClient<CSIStorageCapacity>;
  #terms: ReadonlyMap<string, Term> = new Map();

  constructor(manager: Manager, driver: CsiDriver, options: PublishingOptions) {
    this.#options = options;
    this.#managedBy = options.managedBy ?? 'windlass';
    this.#driver = driver;
    this.#facts = driverFacts(driver);
    this.#classes = manager.objects(StorageClass);
    this.#nodes = manager.objects(Node);
    this.#csiNodes = manager.objects(CSINode);
    this.#objects = manager.objects(CSIStorageCapacity);
    this.#objects.addIndex('segment', (object) => {
      const segment = segmentOfObject(object);
      return segment === undefined ? [] : [segment];
    });
  }

  segments(): Iterable<string> {
    return this.#terms.keys();
  }

  async reconcile(key: string, { signal, logger }: ReconcileContext): Promise<void> {
    const driver = await this.#facts(signal);
    if (!driver.controller.has('GET_CAPACITY')) {
      logger.warn('the driver does not tell its capacity (GET_CAPACITY), so nothing is published');
      return;
    }
    if (key === PLAN) await this.#plan(driver, signal);
    else await this.#publish(key, driver, signal);
  }

  async #plan(driver: DriverFacts, signal: AbortSignal): Promise<void> {
    const before = this.#terms;
    this.#terms = await this.#findTerms(driver, signal);
    const written = (await this.#objects.list({ namespace: this.#options.namespace, signal }))
      .filter((object) => this.#isOurs(object, driver))
      .map(segmentOfObject)
      .filter((segment) => segment !== undefined);
    for (const segment of new Set([...before.keys(), ...this.#terms.keys(), ...written]))
      this.#options.enqueue(segment);
  }

  async #findTerms(driver: DriverFacts, signal: AbortSignal): Promise<Map<string, Term>> {
    const terms = new Map<string, Term>();
    if (!driver.hasTopology) return terms.set(segmentKey([]), []);
    for (const csiNode of await this.#csiNodes.list({ signal })) {
      const keys = topologyKeysOf(csiNode, driver.name);
      if (keys === undefined || keys.length === 0) continue;
      const node = await this.#nodes.find(csiNode.metadata.name, { signal });
      const term = node === undefined ? undefined : termOfNode(node, keys);
      if (term !== undefined) terms.set(segmentKey(term), term);
    }
    return terms;
  }

  async #publish(segment: string, driver: DriverFacts, signal: AbortSignal): Promise<void> {
    const term = this.#terms.get(segment);
    const { namespace } = this.#options;
    const present = (
      await this.#objects.list({ index: { name: 'segment', value: segment }, namespace, signal })
    ).filter((object) => this.#isOurs(object, driver));
    const wanted = new Set<string>();
    if (term !== undefined)
      for (const storageClass of await this.#wantedClasses(driver, signal))
        wanted.add(await this.#write(term, storageClass, driver, present, signal));
    for (const object of present) {
      if (!wanted.has(object.metadata.name)) await this.#objects.delete(keyOf(object), { signal });
    }
  }

  async #wantedClasses(driver: DriverFacts, signal: AbortSignal): Promise<Cached<StorageClass>[]> {
    const all = await this.#classes.list({ signal });
    return all.filter(
      ({ provisioner, volumeBindingMode }) =>
        provisioner === driver.name &&
        (this.#options.immediateBinding === true || volumeBindingMode === 'WaitForFirstConsumer'),
    );
  }

  /** Answers the name of the object. */
  async #write(
    term: Term,
    storageClass: Cached<StorageClass>,
    driver: DriverFacts,
    present: readonly Cached<CSIStorageCapacity>[],
    signal: AbortSignal,
  ): Promise<string> {
    const { namespace, owner, timeoutMs } = this.#options;
    const answer = await this.#driver.getCapacity(
      {
        parameters: driverParameters(storageClass.parameters ?? {}),
        accessibleTopology: driver.hasTopology ? { segments: segmentsOf(term) } : undefined,
      },
      { signal, timeoutMs },
    );
    const identity = { driver: driver.name, managedBy: this.#managedBy, namespace, owner };
    const object = capacityObject(identity, storageClass.metadata.name, term, answer);
    const { name } = object.metadata;
    const before = present.find(({ metadata }) => metadata.name === name);
    if (before === undefined) await this.#create(object, signal);
    else if (!saysTheSame(before, object)) {
      const { maximumVolumeSize: _, ...rest } = deepCopy<CSIStorageCapacity>(before);
      const metadata = { ...rest.metadata, ownerReferences: object.metadata.ownerReferences ?? [] };
      await this.#objects.update({ ...object, ...rest, ...sizesOf(object), metadata }, { signal });
    }
    return name;
  }

  async #create(object: CSIStorageCapacity, signal: AbortSignal): Promise<void> {
    try {
      await this.#objects.create(object, { signal });
    } catch (error) {
      // The cache is late; its event brings us back.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  #isOurs({ metadata }: Cached<CSIStorageCapacity>, driver: DriverFacts): boolean {
    const { labels = {} } = metadata ?? {};
    return labels[DRIVER_LABEL] === driver.name && labels[MANAGED_BY_LABEL] === this.#managedBy;
  }
}

const sizesOf = ({ capacity, maximumVolumeSize }: CSIStorageCapacity): Partial<CSIStorageCapacity> => ({
  ...(capacity === undefined ? {} : { capacity }),
  ...(maximumVolumeSize === undefined ? {} : { maximumVolumeSize }),
});
