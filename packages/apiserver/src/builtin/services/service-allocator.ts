import { type FieldError, FieldPath, fieldInvalid, newInvalid } from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Draft, Stored } from '../../resource/strategy.ts';
import type { Store } from '../../storage/store.ts';
import type { Allocator } from '../../verbs/runtime.ts';
import { familyOf } from '../validation/addresses.ts';
import { Findings } from '../validation/findings.ts';
import { validateAddresses } from '../validation/services.ts';
import { type Fields, objectAt, objectIn, objectsAt } from '../values.ts';
import { type AddressBlock, addressBlock, ipv4Number } from './cidr.ts';
import { Ledger } from './ledger.ts';
import { alignAddresses, carryOver, dropForType, nodePortsOf, takesNodePorts } from './service-fields.ts';

export interface ServiceAllocatorOptions {
  readonly store: Store;
  readonly random: Random;
  /** @default '10.0.0.0/24' */
  readonly serviceCidr?: string;
  /** @default 30000 to 32767 */
  readonly nodePorts?: { readonly first: number; readonly last: number };
}

const PREFIX = '//services/';
/** The lowest addresses and ports are left to those who name one, as long as there are others. */
const RESERVED_PART = 16;

/**
 * Cluster addresses and node ports of services. What is held is read from the store when it is first
 * needed, so nothing is written besides the services themselves.
 */
export class ServiceAllocator implements Allocator {
  readonly #options: ServiceAllocatorOptions;
  readonly #block: AddressBlock;
  readonly #first: number;
  readonly #last: number;
  readonly #addresses = new Ledger<string>();
  readonly #ports = new Ledger<number>();
  #loading: Promise<void> | undefined = undefined;

  constructor(options: ServiceAllocatorOptions) {
    this.#options = options;
    this.#block = addressBlock(options.serviceCidr ?? '10.0.0.0/24');
    this.#first = options.nodePorts?.first ?? 30_000;
    this.#last = options.nodePorts?.last ?? 32_767;
  }

  allocate(
    definition: ResourceDefinition,
    draft: object,
    old: object | undefined,
    isDryRun: boolean,
  ): (() => void) | Promise<() => void> {
    if (definition.kind !== 'Service' || definition.group !== '') return noUndo;
    // The definition says what these are.
    return this.#allocate(draft as Draft, old as Stored | undefined, isDryRun);
  }

  release(definition: ResourceDefinition, object: object): void {
    if (definition.kind !== 'Service' || definition.group !== '') return;
    const service = object as Stored;
    const free = (): void => this.#freeAll(service, ownerOf(service));
    // Before the store was read, nothing is held; while it is read, the service may already have been seen.
    if (this.#loading !== undefined) void this.#loading.then(free, noUndo);
  }

  async #allocate(draft: Draft, old: Stored | undefined, isDryRun: boolean): Promise<() => void> {
    this.#loading ??= this.#load();
    await this.#loading;
    const owner = ownerOf(draft);
    const spec = objectIn(draft, 'spec');
    const oldSpec = objectAt(old, 'spec');
    alignAddresses(spec, oldSpec);
    if (oldSpec !== undefined) {
      carryOver(spec, oldSpec);
      dropForType(spec, oldSpec);
    }
    refuse(draft, wrongAddresses(spec, oldSpec));
    const taken: (() => void)[] = [];
    const undo = (): void => {
      for (const give of taken.toReversed()) give();
    };
    try {
      const errors = [
        ...this.#takeAddress(spec, oldSpec, owner, taken),
        ...this.#takePorts(spec, owner, taken),
      ];
      refuse(draft, errors);
    } catch (error) {
      undo();
      throw error;
    }
    if (old !== undefined && !isDryRun) this.#freeDropped(spec, old, owner, taken);
    return undo;
  }

  #takeAddress(
    spec: Fields,
    oldSpec: Fields | undefined,
    owner: string,
    taken: (() => void)[],
  ): FieldError[] {
    if (spec['type'] === 'ExternalName') return this.#clearAddress(spec);
    const path = FieldPath.of('spec', 'clusterIPs');
    const listed = Array.isArray(spec['clusterIPs']) ? spec['clusterIPs'].map(String) : [];
    const wanted = textOf(spec['clusterIP']) || (listed[0] ?? '');
    const held = oldSpec === undefined ? '' : textOf(oldSpec['clusterIP']);
    // What is wrong with these by themselves is found when the whole service is looked at.
    if (held !== '' && wanted !== '' && wanted !== held) return [];
    if (listed.length > 0 && textOf(spec['clusterIP']) !== '' && listed[0] !== spec['clusterIP']) return [];
    if (held === '' && familyOf(wanted) === 6)
      return [fieldInvalid(path.index(0), [wanted], 'IPv6 is not configured on this cluster')];
    if (wanted !== '' && wanted !== 'None' && ipv4Number(wanted) === undefined) return [];
    const familyErrors = setFamilies(spec, wanted === 'None');
    if (familyErrors.length > 0) return familyErrors;
    if (wanted === 'None') {
      setAddress(spec, 'None');
      return [];
    }
    if (wanted !== '') {
      const failed = (why: string): FieldError[] => [
        fieldInvalid(path, [wanted], `failed to allocate IP ${wanted}: ${why}`),
      ];
      // What an older range gave stays.
      if (wanted !== held && !this.#block.contains(wanted))
        return failed('the provided network does not match the current range');
      if (!this.#take(this.#addresses, wanted, owner, taken))
        return failed('provided IP is already allocated');
      setAddress(spec, wanted);
      return [];
    }
    const address = this.#freeAddress();
    if (address === undefined)
      return [fieldInvalid(path, [], 'failed to allocate a serviceIP: range is full')];
    this.#take(this.#addresses, address, owner, taken);
    setAddress(spec, address);
    return [];
  }

  #clearAddress(spec: Fields): FieldError[] {
    if (textOf(spec['clusterIP']) !== '') return [];
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[field];
    return [];
  }

  #takePorts(spec: Fields, owner: string, taken: (() => void)[]): FieldError[] {
    if (!takesNodePorts(spec)) return [];
    const errors: FieldError[] = [];
    const seen = new Map<number, unknown[]>();
    for (const [index, port] of objectsAt(spec, 'ports').entries()) {
      const wanted = port['nodePort'];
      const path = FieldPath.of('spec', 'ports').index(index).child('nodePort');
      if (typeof wanted === 'number' && wanted !== 0) {
        const others = seen.get(wanted) ?? [];
        const isTwice = others.includes(port['protocol']);
        seen.set(wanted, [...others, port['protocol']]);
        const problem = isTwice ? 'provided port is already allocated' : this.#takePort(wanted, owner, taken);
        if (problem !== undefined) errors.push(fieldInvalid(path, wanted, problem));
      }
    }
    if (errors.length > 0) return errors;
    for (const [index, port] of objectsAt(spec, 'ports').entries()) {
      if (typeof port['nodePort'] === 'number' && port['nodePort'] !== 0) continue;
      const found = this.#freePort();
      if (found === undefined) {
        const path = FieldPath.of('spec', 'ports').index(index).child('nodePort');
        return [fieldInvalid(path, 0, 'failed to allocate a nodePort: range is full')];
      }
      this.#take(this.#ports, found, owner, taken);
      port['nodePort'] = found;
    }
    return this.#takeHealthPort(spec, owner, taken);
  }

  #takeHealthPort(spec: Fields, owner: string, taken: (() => void)[]): FieldError[] {
    if (spec['type'] !== 'LoadBalancer' || spec['externalTrafficPolicy'] !== 'Local') return [];
    const wanted = spec['healthCheckNodePort'];
    const path = FieldPath.of('spec', 'healthCheckNodePort');
    if (typeof wanted === 'number' && wanted !== 0) {
      const problem = this.#takePort(wanted, owner, taken);
      return problem === undefined ? [] : [fieldInvalid(path, wanted, problem)];
    }
    const found = this.#freePort();
    if (found === undefined) return [fieldInvalid(path, 0, 'failed to allocate a nodePort: range is full')];
    this.#take(this.#ports, found, owner, taken);
    spec['healthCheckNodePort'] = found;
    return [];
  }

  /** What is wrong with it, in upstream's words; undefined when it is now the owner's. */
  #takePort(port: number, owner: string, taken: (() => void)[]): string | undefined {
    if (port < this.#first || port > this.#last)
      return `provided port is not in the valid range. The range of valid ports is ${this.#first}-${this.#last}`;
    return this.#take(this.#ports, port, owner, taken) ? undefined : 'provided port is already allocated';
  }

  #take<T>(ledger: Ledger<T>, thing: T, owner: string, taken: (() => void)[]): boolean {
    const isNew = !ledger.has(thing);
    if (!ledger.take(thing, owner)) return false;
    if (isNew) taken.push(() => ledger.free(thing, owner));
    return true;
  }

  #freeAddress(): string | undefined {
    const { size } = this.#block;
    const index = this.#pick(size, (offset) => !this.#addresses.has(this.#block.address(offset)));
    return index === undefined ? undefined : this.#block.address(index);
  }

  #freePort(): number | undefined {
    const size = this.#last - this.#first + 1;
    const index = this.#pick(size, (offset) => !this.#ports.has(this.#first + offset));
    return index === undefined ? undefined : this.#first + index;
  }

  /** Begins somewhere by chance in the upper part, and takes the first that is free from there. */
  #pick(size: number, isFree: (offset: number) => boolean): number | undefined {
    const reserved = Math.min(
      Math.floor(size / 2),
      Math.max(RESERVED_PART, Math.floor(size / RESERVED_PART)),
      256,
    );
    const start = this.#options.random.int(size - reserved);
    for (let step = 0; step < size - reserved; step++) {
      const offset = reserved + ((start + step) % (size - reserved));
      if (isFree(offset)) return offset;
    }
    for (let offset = reserved - 1; offset >= 0; offset--) if (isFree(offset)) return offset;
    return undefined;
  }

  /** What the new form no longer names goes back; should the write fail, it is taken again. */
  #freeDropped(spec: Fields, old: Stored, owner: string, taken: (() => void)[]): void {
    const oldSpec = objectAt(old, 'spec');
    const before = textOf(oldSpec?.['clusterIP']);
    if (before !== '' && before !== 'None' && before !== textOf(spec['clusterIP'])) {
      this.#addresses.free(before, owner);
      taken.push(() => void this.#addresses.take(before, owner));
    }
    const kept = new Set(nodePortsOf(spec));
    for (const port of nodePortsOf(oldSpec)) {
      if (kept.has(port)) continue;
      this.#ports.free(port, owner);
      taken.push(() => void this.#ports.take(port, owner));
    }
  }

  #freeAll(service: Stored, owner: string): void {
    const spec = objectAt(service, 'spec');
    this.#addresses.free(textOf(spec?.['clusterIP']), owner);
    for (const port of nodePortsOf(spec)) this.#ports.free(port, owner);
  }

  async #load(): Promise<void> {
    const { items } = await this.#options.store.list(PREFIX);
    for (const { object } of items) {
      const service = object as Stored;
      const owner = ownerOf(service);
      const spec = objectAt(service, 'spec');
      const address = textOf(spec?.['clusterIP']);
      if (address !== '' && address !== 'None') this.#addresses.take(address, owner);
      for (const port of nodePortsOf(spec)) this.#ports.take(port, owner);
    }
  }
}

const noUndo = (): void => {};

/** By uid: a service that is made anew under an old name holds nothing of the old one. */
function ownerOf(service: Draft | Stored): string {
  return service.metadata?.uid ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function setAddress(spec: Fields, address: string): void {
  spec['clusterIP'] = address;
  spec['clusterIPs'] = [address];
}

/** This cluster has IPv4 only; a headless service without a selector is whatever its endpoints are. */
function refuse(draft: Draft, errors: FieldError[]): void {
  if (errors.length > 0) throw newInvalid({ group: '', kind: 'Service' }, draft.metadata?.name ?? '', errors);
}

/** What cannot be given is told before anything else, and alone. */
function wrongAddresses(spec: Fields, oldSpec: Fields | undefined): FieldError[] {
  const findings = new Findings();
  if (spec['type'] !== 'ExternalName') validateAddresses(spec, oldSpec, findings);
  return findings.errors;
}

function setFamilies(spec: Fields, isHeadless: boolean): FieldError[] {
  const policy = textOf(spec['ipFamilyPolicy']);
  const families = Array.isArray(spec['ipFamilies']) ? spec['ipFamilies'].map(String) : [];
  const hasSelector = Object.keys(objectAt(spec, 'selector') ?? {}).length > 0;
  if (isHeadless && !hasSelector) {
    spec['ipFamilyPolicy'] = policy || (families.length === 1 ? 'SingleStack' : 'RequireDualStack');
    spec['ipFamilies'] =
      families.length > 0 ? families : spec['ipFamilyPolicy'] === 'SingleStack' ? ['IPv4'] : ['IPv4', 'IPv6'];
    return [];
  }
  if (policy === 'RequireDualStack') {
    return [
      fieldInvalid(
        FieldPath.of('spec', 'ipFamilyPolicy'),
        policy,
        'this cluster is not configured for dual-stack services',
      ),
    ];
  }
  if (families.includes('IPv6')) {
    return [
      fieldInvalid(
        FieldPath.of('spec', 'ipFamilies').index(families.indexOf('IPv6')),
        'IPv6',
        'not configured on this cluster',
      ),
    ];
  }
  spec['ipFamilyPolicy'] = policy || 'SingleStack';
  spec['ipFamilies'] = ['IPv4'];
  return [];
}
