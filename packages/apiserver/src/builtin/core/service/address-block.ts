/** A block of IPv4 addresses. */
export interface AddressBlock {
  readonly cidr: string;
  /** How many may be handed out: all but the first and the last, which name the network and everybody. */
  readonly size: number;
  /** The address at an offset from 0 to size - 1. */
  address(offset: number): string;
  contains(address: string): boolean;
}

const OCTETS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Undefined when the text is no IPv4 address. */
export function ipv4Number(text: string): number | undefined {
  const octets = OCTETS.exec(text)?.slice(1);
  if (octets === undefined) return undefined;
  let number = 0;
  for (const octet of octets) {
    if (Number(octet) > 255 || String(Number(octet)) !== octet) return undefined;
    number = number * 256 + Number(octet);
  }
  return number;
}

/** @throws TypeError when it is no IPv4 block with room for an address */
export function addressBlock(cidr: string): AddressBlock {
  const block = findAddressBlock(cidr);
  if (block === undefined)
    throw new TypeError(`the service range ${JSON.stringify(cidr)} must be an IPv4 block up to /30`);
  return block;
}

/** Undefined when it is no IPv4 block with room for an address. */
export function findAddressBlock(cidr: string): AddressBlock | undefined {
  const [base = '', bits = ''] = cidr.split('/');
  const first = ipv4Number(base);
  const length = /^\d{1,2}$/.test(bits) ? Number(bits) : Number.NaN;
  if (first === undefined || !(length >= 0 && length <= 30)) return undefined;
  const total = 2 ** (32 - length);
  const network = Math.floor(first / total) * total;
  const size = total - 2;
  return {
    cidr,
    size,
    address: (offset) => {
      const number = network + 1 + offset;
      return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
    },
    contains: (address) => {
      const number = ipv4Number(address);
      return number !== undefined && number > network && number <= network + size;
    },
  };
}
