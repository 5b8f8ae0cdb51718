import { BlockList, isIP, isIPv4 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { hasFormat } from '../schema/formats.ts';

class Ip {
  readonly text: string;
  constructor(text: string) {
    if (isIP(text) === 0 || text.includes('%'))
      throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
    this.text = canonical(text);
  }
  get family(): bigint {
    return isIPv4(this.text) ? 4n : 6n;
  }
}

class Cidr {
  readonly ip: Ip;
  readonly bits: bigint;
  constructor(text: string) {
    if (!hasFormat(text, 'cidr'))
      throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
    const [address = '', bits = ''] = text.split('/');
    this.ip = new Ip(address);
    this.bits = BigInt(bits);
  }
  get text(): string {
    return `${this.ip.text}/${this.bits}`;
  }
  contains(other: Ip): boolean {
    if (other.family !== this.ip.family) return false;
    const list = new BlockList();
    const type = this.ip.family === 4n ? 'ipv4' : 'ipv6';
    list.addSubnet(this.ip.text, Number(this.bits), type);
    return list.check(other.text, type);
  }
}

class WebUrl {
  readonly value: URL;
  constructor(text: string) {
    if (!URL.canParse(text))
      throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`);
    this.value = new URL(text);
  }
}

function canonical(text: string): string {
  return isIPv4(text) ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Addresses, networks and URLs. */
export function registerAddressFunctions(env: Environment): void {
  const starts = (ip: Ip, ...prefixes: string[]): boolean =>
    prefixes.some((prefix) => ip.text.startsWith(prefix));
  const isLoopback = (ip: Ip): boolean => starts(ip, '127.') || ip.text === '::1';
  env
    .registerType('kubernetes.IP', Ip)
    .registerType('kubernetes.CIDR', Cidr)
    .registerType('kubernetes.URL', WebUrl)
    .registerFunction('ip(string): kubernetes.IP', (text: string) => new Ip(text))
    .registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0 && !text.includes('%'))
    .registerFunction('kubernetes.IP.family(): int', (ip: Ip) => ip.family)
    .registerFunction(
      'kubernetes.IP.isUnspecified(): bool',
      (ip: Ip) => ip.text === '0.0.0.0' || ip.text === '::',
    )
    .registerFunction('kubernetes.IP.isLoopback(): bool', isLoopback)
    .registerFunction('kubernetes.IP.isLinkLocalMulticast(): bool', (ip: Ip) =>
      starts(ip, '224.0.0.', 'ff02:', 'ff12:'),
    )
    .registerFunction('kubernetes.IP.isLinkLocalUnicast(): bool', (ip: Ip) =>
      starts(ip, '169.254.', 'fe8', 'fe9', 'fea', 'feb'),
    )
    .registerFunction(
      'kubernetes.IP.isGlobalUnicast(): bool',
      (ip: Ip) =>
        !isLoopback(ip) &&
        !starts(ip, '169.254.', 'fe8', 'fe9', 'fea', 'feb', 'ff', '22', '23') &&
        ip.text !== '0.0.0.0' &&
        ip.text !== '::' &&
        ip.text !== '255.255.255.255',
    )
    .registerFunction('kubernetes.IP.string(): string', (ip: Ip) => ip.text)
    .registerOperator('kubernetes.IP == kubernetes.IP', (a: Ip, b: Ip) => a.text === b.text)
    .registerFunction('cidr(string): kubernetes.CIDR', (text: string) => new Cidr(text))
    .registerFunction('isCIDR(string): bool', (text: string) => hasFormat(text, 'cidr'))
    .registerFunction('kubernetes.CIDR.containsIP(kubernetes.IP): bool', (net: Cidr, ip: Ip) =>
      net.contains(ip),
    )
    .registerFunction('kubernetes.CIDR.containsIP(string): bool', (net: Cidr, text: string) =>
      net.contains(new Ip(text)),
    )
    .registerFunction('kubernetes.CIDR.containsCIDR(kubernetes.CIDR): bool', containsNetwork)
    .registerFunction('kubernetes.CIDR.containsCIDR(string): bool', (net: Cidr, text: string) =>
      containsNetwork(net, new Cidr(text)),
    )
    .registerFunction('kubernetes.CIDR.ip(): kubernetes.IP', (net: Cidr) => net.ip)
    .registerFunction('kubernetes.CIDR.prefixLength(): int', (net: Cidr) => net.bits)
    .registerFunction('kubernetes.CIDR.string(): string', (net: Cidr) => net.text)
    .registerOperator('kubernetes.CIDR == kubernetes.CIDR', (a: Cidr, b: Cidr) => a.text === b.text)
    .registerFunction('url(string): kubernetes.URL', (text: string) => new WebUrl(text))
    .registerFunction('isURL(string): bool', (text: string) => URL.canParse(text))
    .registerFunction('kubernetes.URL.getScheme(): string', ({ value }: WebUrl) =>
      value.protocol.slice(0, -1),
    )
    .registerFunction('kubernetes.URL.getHost(): string', ({ value }: WebUrl) => value.host)
    .registerFunction('kubernetes.URL.getHostname(): string', ({ value }: WebUrl) =>
      value.hostname.replace(/^\[(.*)\]$/, '$1'),
    )
    .registerFunction('kubernetes.URL.getPort(): string', ({ value }: WebUrl) => value.port)
    .registerFunction('kubernetes.URL.getEscapedPath(): string', ({ value }: WebUrl) => value.pathname)
    .registerFunction(
      'kubernetes.URL.getQuery(): map<string, list<string>>',
      ({ value }: WebUrl) =>
        new Map([...new Set(value.searchParams.keys())].map((key) => [key, value.searchParams.getAll(key)])),
    );
}

function containsNetwork(net: Cidr, other: Cidr): boolean {
  return other.bits >= net.bits && net.contains(other.ip);
}
