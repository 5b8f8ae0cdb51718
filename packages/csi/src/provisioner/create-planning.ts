import { type Cached, isNotFound, type KubeObject } from '@windlass/apimachinery';
import { Node, type PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { CSINode, type StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { Client } from '@windlass/client';
import type { MessageInit } from '@windlass/grpc';
import type { KindClient, Manager } from '@windlass/runtime';
import type { TopologyRequirement, VolumeContentSource } from '../generated/csi.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { annotation, SELECTED_NODE } from '../sidecar/names.ts';
import { accessibilityRequirements } from './accessibility.ts';
import { type CreatePlan, planCreate } from './create-request.ts';
import { contentSourceOf, hasSource } from './data-source.ts';
import type { ProvisionerSettings } from './options.ts';

type Claim = Cached<PersistentVolumeClaim>;
type Accessibility = MessageInit<TopologyRequirement> | undefined;

/** What is known when a volume is planned. */
export interface PlanFacts {
  readonly claim: Claim;
  readonly storageClass: Cached<StorageClass>;
  readonly driver: DriverFacts;
}

/** Reads the nodes of the cluster, and plans what to ask a driver for. */
export class CreatePlanning {
  readonly #settings: ProvisionerSettings;
  readonly #client: Client;
  readonly #nodes: KindClient<Node>;
  readonly #csiNodes: KindClient<CSINode>;

  constructor(manager: Manager, settings: ProvisionerSettings) {
    this.#settings = settings;
    this.#client = manager.client;
    this.#nodes = manager.objects(Node);
    this.#csiNodes = manager.objects(CSINode);
  }

  volumeName({ metadata }: Claim): string {
    return `${this.#settings.volumeNamePrefix}-${metadata.uid}`;
  }

  /** @throws when no node fits, when a driver has told no topology yet, or when there is nothing to make it of */
  async plan(facts: PlanFacts, signal: AbortSignal): Promise<CreatePlan> {
    const { claim, driver } = facts;
    const isPlaced = this.#settings.sourceDecides && hasSource(claim);
    const where = driver.hasTopology && !isPlaced ? await this.#accessibility(facts, signal) : undefined;
    return this.#planAt(facts, where, await contentSourceOf(this.#client, claim, driver, signal));
  }

  /** As `plan`, for a volume that is to be found again. Where it would be now does not matter then. */
  async planAgain(facts: PlanFacts, signal: AbortSignal): Promise<CreatePlan> {
    const { claim, driver } = facts;
    const isPlaced = this.#settings.sourceDecides && hasSource(claim);
    const where = isPlaced ? undefined : await this.#accessibility(facts, signal).catch(() => undefined);
    const source = await contentSourceOf(this.#client, claim, driver, signal).catch(() => undefined);
    return this.#planAt(facts, where, source);
  }

  /** Whether the node itself is not there, by the server's word. */
  async isGone(node: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#nodes.live().get(node, { signal });
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }

  #planAt(
    { claim, storageClass, driver }: PlanFacts,
    accessibility: Accessibility,
    contentSource: MessageInit<VolumeContentSource> | undefined,
  ): CreatePlan {
    const { defaultFsType, extraCreateMetadata } = this.#settings;
    const volumeName = this.volumeName(claim);
    return planCreate({
      claim,
      storageClass,
      volumeName,
      driver,
      defaultFsType,
      extraCreateMetadata,
      accessibility,
      contentSource,
    });
  }

  async #accessibility(
    { claim, storageClass, driver }: PlanFacts,
    signal: AbortSignal,
  ): Promise<Accessibility> {
    const selectedNode = annotation(claim, SELECTED_NODE);
    const { strictTopology: strict, immediateTopology: immediate } = this.#settings;
    // Strictly, no other node counts; then a claim costs the same however many there are.
    const only = strict ? selectedNode : undefined;
    const choose = async <T extends KubeObject>(kind: KindClient<T>): Promise<Cached<T>[]> => {
      if (only === undefined) return kind.list({ signal });
      const found = await kind.find(only, { signal });
      return found === undefined ? [] : [found];
    };
    return accessibilityRequirements({
      driver: driver.name,
      claimName: claim.metadata.name,
      allowedTopologies: storageClass.allowedTopologies ?? [],
      selectedNode,
      strict,
      immediate,
      nodes: await choose(this.#nodes),
      csiNodes: await choose(this.#csiNodes),
    });
  }
}
