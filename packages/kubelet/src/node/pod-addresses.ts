import { WindlassError } from '@windlass/base';

/** The first address is the network's and the last one is for all; the second is the bridge's. */
const FIRST = 2;

/** Gives out the addresses of a node's range, each to one pod at a time, the one that is free longest first. */
export class PodAddresses {
  readonly #base: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = FIRST;

  /** @param cidr such as 10.244.1.0/24 */
  constructor(cidr: string) {
    const [address = '', bits = ''] = cidr.split('/');
    this.#base = toNumber(address);
    this.#size = 2 ** (32 - Number(bits));
  }

  /** @throws when none is free */
  allocate(): string {
    for (let tried = FIRST; tried < this.#size - 1; tried++) {
      const offset = this.#next;
      this.#next = offset + 1 < this.#size - 1 ? offset + 1 : FIRST;
      if (this.#used.has(offset)) continue;
      this.#used.add(offset);
      return toAddress(this.#base + offset);
    }
    throw new WindlassError(`no address is free in a range of ${this.#size}`, { code: 'NO_ADDRESS' });
  }

  /** Takes an address that a pod has already. What is not of this range is nobody's business here. */
  keep(address: string): void {
    const offset = toNumber(address) - this.#base;
    if (offset >= 0 && offset < this.#size) this.#used.add(offset);
  }

  release(address: string): void {
    this.#used.delete(toNumber(address) - this.#base);
  }
}

/** The so-manieth range of a fleet: 10.128.0.0/24, 10.128.1.0/24, …, 10.255.255.0/24. */
export function podRange(index: number): string {
  return `10.${128 + ((index >> 8) & 127)}.${index & 255}.0/24`;
}

/** The so-manieth node's own address. */
export function nodeAddress(index: number): string {
  return toAddress(toNumber('172.30.0.1') + index);
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
