// Which ranges of addresses hold which. Ranges and addresses come from the API, where they were checked.
import { BlockList, isIP } from 'node:net';

interface Range {
  readonly base: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
  readonly list: BlockList;
}

function rangeOf(cidr: string): Range | undefined {
  const [base = '', length = ''] = cidr.split('/');
  if (isIP(base) === 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
  const bits = Number(length);
  if (bits > (family === 'ipv4' ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(base, bits, family);
  return { base, bits, family, list };
}

/** Whether services may have the address of the range: not the first one, nor the last one with IPv4. */
export function holdsAddress(cidr: string, address: string): boolean {
  const range = rangeOf(cidr);
  if (range === undefined || isIP(address) !== (range.family === 'ipv4' ? 4 : 6)) return false;
  if (address === range.base || !range.list.check(address, range.family)) return false;
  return range.family === 'ipv6' || address !== lastOf(range);
}

/** Whether the outer range has every address of the inner one. */
export function holdsRange(outer: string, inner: string): boolean {
  const [a, b] = [rangeOf(outer), rangeOf(inner)];
  return (
    a !== undefined &&
    b !== undefined &&
    a.family === b.family &&
    a.bits <= b.bits &&
    a.list.check(b.base, a.family)
  );
}

/** Whether they have an address in common: of two ranges one then holds the other. */
export const isOverlap = (a: string, b: string): boolean => holdsRange(a, b) || holdsRange(b, a);

function lastOf({ base, bits }: Range): string {
  const first = base.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const last = first + 2 ** (32 - bits) - 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(last / 2 ** shift) % 256).join('.');
}
