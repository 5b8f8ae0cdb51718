import { type FieldError, FieldPath, fieldInvalid, newInvalid } from '@windlass/apimachinery';
import { Service, type ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { Clock, Logger, Random } from '@windlass/base';
import { StoreFollower } from '../../../access/store-follower.ts';
import type { ResourceDefinition } from '../../../resource/definition.ts';
import type { DraftOf, View } from '../../../resource/views.ts';
import type { Store, StoreKey } from '../../../storage/store.ts';
import { kindPrefix, objectOfKind } from '../../../storage/stored-kinds.ts';
import type { Allocator } from '../../../verbs/runtime.ts';
import { familyOf } from '../../shared/addresses.ts';
import { Findings } from '../../shared/findings.ts';
import { type AddressBlock, ipv4Number } from './address-block.ts';
import { AddressObjects, type ServiceName } from './address-objects.ts';
import { validateAddresses } from './addresses-validation.ts';
import { setFamilies } from './ip-families.ts';
import { Ledger } from './ledger.ts';
import { assignNodePorts } from './node-ports.ts';
import { pickFree } from './pick-free.ts';
import { claimPorts, type PortClaims, type PortRange, tryPorts } from './port-claims.ts';
import { alignAddresses, carryOver, dropForType, nodePortsOf } from './service-fields.ts';
import { readyBlocks } from './service-ranges.ts';

type Draft = DraftOf<ServiceSpec>;
type Spec = View<ServiceSpec>;

export interface ServiceAllocatorOptions {
  readonly store: Store;
  readonly random: Random;
  readonly clock: Clock;
  readonly logger: Logger;
  /** @default 30000 to 32767 */
  readonly nodePorts?: PortRange;
}

/**
 * Cluster addresses and node ports of services. What is held is read from the services in the store when it is first
 * needed. Each address also is an IPAddress object, which is written before the service and goes after it.
 */
export class ServiceAllocator implements Allocator {
  readonly #options: ServiceAllocatorOptions;
  readonly #objects: AddressObjects;
  readonly #nodePorts: PortRange;
  readonly #addresses = new Ledger<string>();
  readonly #ports = new Ledger<number>();
  /** Where others write too: every service as it was last seen. */
  readonly #seen = new Map<StoreKey, View<Service>>();
  #loading: Promise<void> | undefined = undefined;

  constructor(options: ServiceAllocatorOptions) {
    this.#options = options;
    this.#objects = new AddressObjects(options);
    this.#nodePorts = options.nodePorts ?? { first: 30_000, last: 32_767 };
  }

  handles({ kind, group }: ResourceDefinition): boolean {
    return kind === 'Service' && group === '';
  }

  allocate(
    definition: ResourceDefinition,
    draft: object,
    old: object | undefined,
    isDryRun: boolean,
  ): (() => void) | Promise<() => void> {
    if (!this.handles(definition)) return noUndo;
    // The definition says that these are services.
    return this.#allocate(draft, old, isDryRun);
  }

  release(definition: ResourceDefinition, object: object): void {
    if (!this.handles(definition)) return;
    // The definition says that it is a service.
    const service: View<Service> = object;
    // While the store is read, the service may already have been seen.
    this.#loading ??= this.#load();
    void this.#loading.then(() => this.#freeAll(service), noUndo);
  }

  async #allocate(
    draft: DraftOf<Service>,
    old: View<Service> | undefined,
    isDryRun: boolean,
  ): Promise<() => void> {
    this.#loading ??= this.#load();
    await this.#loading;
    // A draft may claim another uid, which is refused later, and in its own words.
    const owner = ownerOf(old ?? draft);
    draft.spec ??= {};
    const { spec } = draft;
    const oldSpec = old?.spec;
    alignAddresses(spec, oldSpec);
    if (oldSpec !== undefined) {
      carryOver(spec, oldSpec);
      dropForType(spec, oldSpec);
      // What balanced its load is taken down in time; who reads the service need not know.
      if (spec.type !== 'LoadBalancer' && draft.status !== undefined)
        draft.status = { ...draft.status, loadBalancer: {} };
    }
    refuse(draft, wrongAddresses(spec, oldSpec));
    const taken: (() => void)[] = [];
    const undo = (): void => {
      for (const give of taken.toReversed()) give();
    };
    try {
      const service: Claimant = { owner, name: nameOf(old ?? draft), isDryRun, taken };
      refuse(draft, await this.#takeAddress(spec, oldSpec, service));
      assignNodePorts(draft.metadata?.name ?? '', spec, oldSpec, this.#claimPorts(service));
    } catch (error) {
      undo();
      throw error;
    }
    if (old !== undefined && !isDryRun) this.#freeDropped(spec, old, taken);
    return undo;
  }

  async #takeAddress(spec: Draft, oldSpec: Spec | undefined, service: Claimant): Promise<FieldError[]> {
    if (spec.type === 'ExternalName') {
      // It has no traffic of its own, and never shows a rule for it. A wrong one is told of first.
      if (isInternalPolicy(spec.internalTrafficPolicy)) delete spec.internalTrafficPolicy;
      return [];
    }
    const path = FieldPath.of('spec', 'clusterIPs');
    const { clusterIP: first = '' } = spec;
    const [listed = ''] = spec.clusterIPs ?? [];
    const wanted = first || listed;
    const held = oldSpec?.clusterIP ?? '';
    // What is wrong with these by themselves is found when the whole service is looked at.
    if (held !== '' && wanted !== '' && wanted !== held) return [];
    if ((spec.clusterIPs ?? []).length > 0 && first !== '' && listed !== first) return [];
    if (held === '' && familyOf(wanted) === 6)
      return [fieldInvalid(path.index(0), [wanted], 'IPv6 is not configured on this cluster')];
    if (wanted !== '' && wanted !== 'None' && ipv4Number(wanted) === undefined) return [];
    const familyErrors = setFamilies(spec, oldSpec, wanted === 'None');
    if (familyErrors.length > 0) return familyErrors;
    if (wanted === 'None') {
      setAddress(spec, 'None');
      return [];
    }
    if (wanted !== '') {
      const problem = await this.#takeNamed(wanted, wanted === held, service);
      if (problem !== undefined)
        return [fieldInvalid(path, [wanted], `failed to allocate IP ${wanted}: ${problem}`)];
      setAddress(spec, wanted);
      return [];
    }
    const address = await this.#takeFree(service);
    if (address === undefined)
      return [fieldInvalid(path, [], 'failed to allocate a serviceIP: range is full')];
    setAddress(spec, address);
    return [];
  }

  /** What is wrong with it, in upstream's words; undefined when it is now the service's. What an older range gave stays. */
  async #takeNamed(address: string, isHeld: boolean, service: Claimant): Promise<string | undefined> {
    if (!isHeld) {
      const blocks = await readyBlocks(this.#options.store);
      if (!blocks.some((block) => block.contains(address)))
        return 'the provided network does not match the current range';
    }
    const isTaken = this.#hold(address, service);
    return isTaken && (isHeld || (await this.#makeObject(address, service)))
      ? undefined
      : 'provided IP is already allocated';
  }

  /** From the first block that has one. An address that is in use elsewhere, as its object says, is passed over. */
  async #takeFree(service: Claimant): Promise<string | undefined> {
    const foreign = new Set<string>();
    for (const block of await readyBlocks(this.#options.store))
      for (;;) {
        const address = this.#freeAddress(block, foreign);
        if (address === undefined) break;
        this.#hold(address, service);
        if (await this.#makeObject(address, service)) return address;
        this.#addresses.free(address, service.owner);
        foreign.add(address);
      }
    return undefined;
  }

  async #makeObject(address: string, { name, isDryRun, taken }: Claimant): Promise<boolean> {
    if (isDryRun) return true;
    if (!(await this.#objects.create(address, name))) return false;
    taken.push(() => this.#objects.remove(address, name));
    return true;
  }

  #claimPorts({ owner, isDryRun, taken }: Claimant): PortClaims {
    if (isDryRun) return tryPorts(this.#ports);
    return claimPorts(this.#ports, this.#nodePorts, this.#options.random, owner, (port) =>
      taken.push(() => this.#ports.free(port, owner)),
    );
  }

  #hold(address: string, { owner, taken }: Claimant): boolean {
    const isNew = !this.#addresses.has(address);
    if (!this.#addresses.take(address, owner)) return false;
    if (isNew) taken.push(() => this.#addresses.free(address, owner));
    return true;
  }

  #freeAddress(block: AddressBlock, foreign: ReadonlySet<string>): string | undefined {
    const isFree = (offset: number): boolean => {
      const address = block.address(offset);
      return !this.#addresses.has(address) && !foreign.has(address);
    };
    const offset = pickFree(block.size, isFree, this.#options.random);
    return offset === undefined ? undefined : block.address(offset);
  }

  /** What the new form no longer names goes back; should the write fail, it is taken again. */
  #freeDropped(spec: Spec, old: View<Service>, taken: (() => void)[]): void {
    const owner = ownerOf(old);
    const before = addressOf(old.spec);
    if (before !== undefined && before !== spec.clusterIP) {
      this.#addresses.free(before, owner);
      this.#objects.remove(before, nameOf(old));
      // Its object comes back by the repair.
      taken.push(() => void this.#addresses.take(before, owner));
    }
    const kept = new Set(nodePortsOf(spec));
    for (const port of nodePortsOf(old.spec)) {
      if (kept.has(port)) continue;
      this.#ports.free(port, owner);
      taken.push(() => void this.#ports.take(port, owner));
    }
  }

  #freeAll(service: View<Service>): void {
    const owner = ownerOf(service);
    const address = addressOf(service.spec);
    if (address !== undefined) {
      this.#addresses.free(address, owner);
      this.#objects.remove(address, nameOf(service));
    }
    for (const port of nodePortsOf(service.spec)) this.#ports.free(port, owner);
  }

  async #load(): Promise<void> {
    const { store, logger } = this.#options;
    if (store.isShared) {
      // Other servers give and take back too. It ends with the store.
      await new StoreFollower({
        store,
        type: Service,
        logger,
        onState: (key, now) => this.#note(key, now),
      }).start();
      return;
    }
    const { items } = await store.list(kindPrefix(Service));
    for (const item of items) this.#note(item.key, objectOfKind(Service, item));
  }

  /** What the service holds now is held; what it held before is free. */
  #note(key: StoreKey, now: View<Service> | undefined): void {
    const before = this.#seen.get(key);
    if (this.#options.store.isShared) {
      if (now === undefined) this.#seen.delete(key);
      else this.#seen.set(key, now);
    }
    const address = addressOf(now?.spec);
    const ports = new Set(nodePortsOf(now?.spec));
    if (before !== undefined) {
      const owner = ownerOf(before);
      const isSame = now !== undefined && ownerOf(now) === owner;
      const old = addressOf(before.spec);
      if (old !== undefined && !(isSame && old === address)) this.#addresses.free(old, owner);
      for (const port of nodePortsOf(before.spec))
        if (!(isSame && ports.has(port))) this.#ports.free(port, owner);
    }
    if (now === undefined) return;
    const owner = ownerOf(now);
    if (address !== undefined) this.#addresses.take(address, owner);
    for (const port of ports) this.#ports.take(port, owner);
  }
}

/** Who wants something, and what it was given so far, to be undone. */
interface Claimant {
  readonly owner: string;
  readonly name: ServiceName;
  readonly isDryRun: boolean;
  readonly taken: (() => void)[];
}

const noUndo = (): void => {};

function nameOf({ metadata }: View<Service>): ServiceName {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** By uid: a service that is made anew under an old name holds nothing of the old one. */
function ownerOf({ metadata }: View<Service>): string {
  return metadata?.uid ?? '';
}

/** The address that a service holds, if it has one. */
function addressOf(spec: Spec | undefined): string | undefined {
  const { clusterIP = '' } = spec ?? {};
  return clusterIP === '' || clusterIP === 'None' ? undefined : clusterIP;
}

function setAddress(spec: Draft, address: string): void {
  spec.clusterIP = address;
  spec.clusterIPs = [address];
}

const isInternalPolicy = (policy: string | undefined): boolean => policy === 'Cluster' || policy === 'Local';

function refuse({ metadata }: View<Service>, errors: FieldError[]): void {
  if (errors.length > 0) throw newInvalid({ group: '', kind: 'Service' }, metadata?.name ?? '', errors);
}

/** What cannot be given is told before anything else, and alone. */
function wrongAddresses(spec: Spec, oldSpec: Spec | undefined): FieldError[] {
  const findings = new Findings();
  if (spec.type !== 'ExternalName') validateAddresses(spec, oldSpec, findings);
  return findings.errors;
}
