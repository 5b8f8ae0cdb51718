import { InvalidArgumentError } from '@windlass/base';

/**
 * TEST-NET-1: addresses that are nobody's, for documentation. Nothing behind a simulated load balancer can be reached,
 * and a connection to such an address fails. One to 127.0.0.0/8 or to a private network could reach something else that
 * happens to listen there.
 */
export const DEFAULT_LOAD_BALANCER_CIDR = '192.0.2.0/24';

/** The addresses of an IPv4 block, without the first and the last. */
export function* addressesOf(cidr: string): Generator<string> {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  const [a = 256, b = 256, c = 256, d = 256, bits = 33] = (match ?? []).slice(1).map(Number);
  if (match === null || [a, b, c, d].some((byte) => byte > 255) || bits < 8 || bits > 30)
    throw new InvalidArgumentError('loadBalancerCidr', cidr, 'an IPv4 block such as 192.0.2.0/24');
  const size = 2 ** (32 - bits);
  const first = Math.floor((((a * 256 + b) * 256 + c) * 256 + d) / size) * size;
  for (let address = first + 1; address < first + size - 1; address++)
    yield [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
