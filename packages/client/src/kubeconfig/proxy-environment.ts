import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for a server, by the rules that kubectl has: HTTPS_PROXY or
 * HTTP_PROXY by the server's scheme, in upper or lower case, unless NO_PROXY or the loopback forbids it.
 */
export function proxyFromEnvironment(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const isTls = url.protocol === 'https:';
  const proxy = isTls ? (env['HTTPS_PROXY'] ?? env['https_proxy']) : (env['HTTP_PROXY'] ?? env['http_proxy']);
  if (proxy === undefined || proxy === '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (isTls ? '443' : '80') : url.port;
  if (isLoopback(host) || isExcluded(host, port, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}

function isExcluded(host: string, port: string, noProxy: string): boolean {
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && (entry === '*' || matches(host, port, entry)));
}

/** `example.com` and its subdomains, `.example.com` its subdomains alone, an address, a range; with a port or not. */
function matches(host: string, port: string, entry: string): boolean {
  if (entry.includes('/')) return isInRange(host, entry);
  // The colons of an IPv6 address separate no port.
  const [, name = '', entryPort] = isIP(entry) === 6 ? ['', entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return host === name;
  const suffix = name.replace(/^\*?\./, '');
  if (host.endsWith(`.${suffix}`)) return true;
  return host === suffix && !name.startsWith('.') && !name.startsWith('*.');
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
