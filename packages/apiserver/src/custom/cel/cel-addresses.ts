import { BlockList, isIP, isIPv4 } from 'node:net';
import { hasFormat } from '../schema/formats.ts';
import type { Declarations } from './language/declarations.ts';

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
  /** The network without what its address says beyond it. */
  masked(): Cidr {
    const isShort = this.ip.family === 4n;
    const bytes = isShort ? 4 : 16;
    let mask = (1n << BigInt(bytes * 8)) - 1n;
    mask ^= (1n << (BigInt(bytes * 8) - this.bits)) - 1n;
    const value = numberOf(this.ip.text) & mask;
    const hex = value.toString(16).padStart(bytes * 2, '0');
    const groups = hex.match(isShort ? /../g : /..../g) ?? [];
    const address = isShort ? groups.map((group) => Number.parseInt(group, 16)).join('.') : groups.join(':');
    return new Cidr(`${canonical(address)}/${this.bits}`);
  }
  contains(other: Ip): boolean {
    if (other.family !== this.ip.family) return false;
    const list = new BlockList();
    const type = this.ip.family === 4n ? 'ipv4' : 'ipv6';
    list.addSubnet(this.ip.text, Number(this.bits), type);
    return list.check(other.text, type);
  }
}

/** The parts of a URL as they are written: nothing is made canonical. */
class WebUrl {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    const parts = urlParts(text);
    if (parts === undefined)
      throw new Error(
        `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
      );
    [this.scheme, this.host, this.path, this.query] = parts;
  }
  get hostname(): string {
    const bracketed = /^\[(.*)\]/.exec(this.host);
    return bracketed === null ? this.host.replace(/:\d*$/, '') : (bracketed[1] ?? '');
  }
  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }
}

/** Scheme, host, path and query of an absolute URL, or of an absolute path. */
function urlParts(text: string): [string, string, string, string] | undefined {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?]*))?(\/[^?]*|)(?:\?(.*))?$/.exec(text);
  const [, scheme = '', authority = '', path = '', query = ''] = match ?? [];
  const isWhole = scheme !== '' || path !== '';
  if (match === null || !isWhole || !URL.canParse(scheme === '' ? `http://x${text}` : text)) return undefined;
  // Control characters, spaces and wrong escapes would pass a browser.
  if (/[\0-\x20\x7f]|%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  return [scheme.toLowerCase(), authority.slice(authority.lastIndexOf('@') + 1), path, query];
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const first = groups(head);
  const last = groups(tail ?? '');
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function canonical(text: string): string {
  return isIPv4(text) ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Addresses, networks and URLs. */
export function registerAddressFunctions(env: Declarations): void {
  const starts = (ip: Ip, ...prefixes: string[]): boolean =>
    prefixes.some((prefix) => ip.text.startsWith(prefix));
  const isLoopback = (ip: Ip): boolean => starts(ip, '127.') || ip.text === '::1';
  env
    .declareOpaque('net.IP', Ip, (a: Ip, b: Ip) => a.text === b.text)
    .declareOpaque('net.CIDR', Cidr, (a: Cidr, b: Cidr) => a.text === b.text)
    .declareObject(
      'kubernetes.URL',
      WebUrl,
      undefined,
      (a: WebUrl, b: WebUrl) =>
        a.scheme === b.scheme && a.host === b.host && a.path === b.path && a.query === b.query,
    )
    .function('ip(string): net.IP', (text: string) => new Ip(text))
    .function('isIP(string): bool', (text: string) => isIP(text) !== 0 && !text.includes('%'))
    .function('net.IP.family(): int', (ip: Ip) => ip.family)
    .function('net.IP.isUnspecified(): bool', (ip: Ip) => ip.text === '0.0.0.0' || ip.text === '::')
    .function('net.IP.isLoopback(): bool', isLoopback)
    .function('net.IP.isLinkLocalMulticast(): bool', (ip: Ip) => starts(ip, '224.0.0.', 'ff02:', 'ff12:'))
    .function('net.IP.isLinkLocalUnicast(): bool', (ip: Ip) =>
      starts(ip, '169.254.', 'fe8', 'fe9', 'fea', 'feb'),
    )
    .function(
      'net.IP.isGlobalUnicast(): bool',
      (ip: Ip) =>
        !isLoopback(ip) &&
        !starts(ip, '169.254.', 'fe8', 'fe9', 'fea', 'feb', 'ff', '22', '23') &&
        ip.text !== '0.0.0.0' &&
        ip.text !== '::' &&
        ip.text !== '255.255.255.255',
    )
    .function('string(net.IP): string', (ip: Ip) => ip.text)
    .function('cidr(string): net.CIDR', (text: string) => new Cidr(text))
    .function('isCIDR(string): bool', (text: string) => hasFormat(text, 'cidr'))
    .function('net.CIDR.containsIP(net.IP): bool', (net: Cidr, ip: Ip) => net.contains(ip))
    .function(
      'net.CIDR.containsIP(string): bool',
      (net: Cidr, text: string) => net.contains(new Ip(text)),
      'cidr_contains_ip_string',
    )
    .function('net.CIDR.containsCIDR(net.CIDR): bool', containsNetwork)
    .function(
      'net.CIDR.containsCIDR(string): bool',
      (net: Cidr, text: string) => containsNetwork(net, new Cidr(text)),
      'cidr_contains_cidr_string',
    )
    .function('net.CIDR.ip(): net.IP', (net: Cidr) => net.ip, 'cidr_ip')
    .function('net.CIDR.prefixLength(): int', (net: Cidr) => net.bits)
    .function('string(net.CIDR): string', (net: Cidr) => net.text)
    .function('url(string): kubernetes.URL', (text: string) => new WebUrl(text))
    .function('isURL(string): bool', (text: string) => urlParts(text) !== undefined)
    .function('kubernetes.URL.getScheme(): string', ({ scheme }: WebUrl) => scheme)
    .function('kubernetes.URL.getHost(): string', ({ host }: WebUrl) => host)
    .function('kubernetes.URL.getHostname(): string', ({ hostname }: WebUrl) => hostname)
    .function('kubernetes.URL.getPort(): string', ({ port }: WebUrl) => port)
    .function('kubernetes.URL.getEscapedPath(): string', ({ path }: WebUrl) => path)
    .function('kubernetes.URL.getQuery(): map<string, list<string>>', ({ query }: WebUrl) => {
      const values = new URLSearchParams(query);
      return new Map([...new Set(values.keys())].map((key) => [key, values.getAll(key)]));
    });
  env
    .function('ip.isCanonical(string): bool', (text: string) => new Ip(text).text === text)
    .function('net.CIDR.masked(): net.CIDR', (net: Cidr) => net.masked());
}

function containsNetwork(net: Cidr, other: Cidr): boolean {
  return other.bits >= net.bits && net.contains(other.ip);
}
