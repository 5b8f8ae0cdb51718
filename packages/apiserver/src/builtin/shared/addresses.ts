// IP addresses and blocks of them, as Kubernetes reads them.
import { isIPv4, isIPv6 } from 'node:net';
import { type FieldPath, goQuote } from '@windlass/apimachinery';
import type { Findings } from './findings.ts';

/** Leading zeros are read over, as they always were. */
function withoutZeros(text: string): string {
  return text.includes(':') ? text : text.replace(/(^|\.)0+(?=\d)/g, '$1');
}

/** 4, 6, or undefined when it is no address. Addresses with a zone are none. */
export function familyOf(text: string): 4 | 6 | undefined {
  if (text.includes('%')) return undefined;
  if (isIPv4(withoutZeros(text))) return 4;
  return isIPv6(text) ? 6 : undefined;
}

/** The bytes of an address: 4 or 16 of them. */
function bytesOf(text: string): number[] {
  if (familyOf(text) === 4) return withoutZeros(text).split('.').map(Number);
  const [head = '', tail] = expandDotted(text).split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const [before, after] = [words(head), words(tail ?? '')];
  const middle = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...middle, ...after].flatMap((word) => [word >> 8, word & 0xff]);
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function expandDotted(text: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted === null) return text;
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(1).map(Number);
  return `${text.slice(0, dotted.index)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function isMapped(text: string): boolean {
  if (familyOf(text) !== 6) return false;
  const bytes = bytesOf(text);
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

/** A field that was always checked loosely; what it must not be is newer. */
export function validateIp(findings: Findings, path: FieldPath, value: string): boolean {
  const before = findings.errors.length;
  if (familyOf(value) === undefined)
    findings.invalid(path, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  else if (withoutZeros(value) !== value) findings.invalid(path, value, 'must not have leading 0s');
  else if (isMapped(value)) findings.invalid(path, value, 'must not be an IPv4-mapped IPv6 address');
  return findings.errors.length === before;
}

/** What is wrong with an address where the rules are new: it has one form only. */
export function strictIpProblem(value: string): string | undefined {
  if (familyOf(value) === undefined) return 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  if (withoutZeros(value) !== value) return 'must not have leading 0s';
  if (isMapped(value)) return 'must not be an IPv4-mapped IPv6 address';
  const canonical = canonicalIp(value);
  return canonical === value ? undefined : `must be in canonical form (${goQuote(canonical)})`;
}

/** The same for a block. */
export function strictBlockProblem(value: string): string | undefined {
  const problem = blockProblem(value);
  if (problem !== undefined) return problem;
  const [address = '', length = ''] = value.split('/');
  const canonical = `${canonicalIp(address)}/${Number(length)}`;
  return canonical === value ? undefined : `must be in canonical form (${goQuote(canonical)})`;
}

/** The same for the address of an interface with the length of its network: `10.9.8.7/24`. */
export function strictInterfaceAddressProblem(value: string): string | undefined {
  if (parseBlock(value) === undefined)
    return 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
  const [address = '', length = ''] = value.split('/');
  const canonical = `${canonicalIp(address)}/${Number(length)}`;
  return canonical === value ? undefined : `must be in canonical form (${goQuote(canonical)})`;
}

/** Addresses that point back to where they are used, or at nobody, are no endpoints. */
export function validateEndpointIp(findings: Findings, path: FieldPath, value: string): void {
  if (familyOf(value) === undefined) {
    findings.invalid(path, value, 'must be a valid IP address');
    return;
  }
  const bytes = bytesOf(value);
  const isV4 = bytes.length === 4;
  const isZeros = bytes.every((byte) => byte === 0);
  const isLoopback = isV4
    ? bytes[0] === 127
    : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
  const isLinkLocal = isV4
    ? bytes[0] === 169 && bytes[1] === 254
    : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
  const isLocalMulticast = isV4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
  if (isZeros) findings.invalid(path, value, `may not be unspecified (${value})`);
  if (isLoopback) findings.invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isLinkLocal)
    findings.invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isLocalMulticast)
    findings.invalid(path, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

export interface Block {
  readonly bytes: readonly number[];
  readonly prefix: number;
}

export function parseBlock(text: string): Block | undefined {
  const [address = '', length = '', ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || rest.length > 0 || !/^\d+$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix > (family === 4 ? 32 : 128) ? undefined : { bytes: bytesOf(address), prefix };
}

function bitAt(bytes: readonly number[], index: number): number {
  return ((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;
}

export function containsBlock(outer: Block, inner: Block): boolean {
  if (outer.bytes.length !== inner.bytes.length) return false;
  for (let index = 0; index < outer.prefix; index++)
    if (bitAt(outer.bytes, index) !== bitAt(inner.bytes, index)) return false;
  return true;
}

export function validateBlock(findings: Findings, path: FieldPath, value: string): boolean {
  const problem = blockProblem(value);
  if (problem !== undefined) findings.invalid(path, value, problem);
  return problem === undefined;
}

function blockProblem(value: string): string | undefined {
  const block = parseBlock(value);
  if (block === undefined) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  const [address = '', length = ''] = value.split('/');
  if (withoutZeros(address) !== address || /^0\d/.test(length))
    return 'must not have leading 0s in IP or prefix length';
  if (isMapped(address)) return 'must not have an IPv4-mapped IPv6 address';
  for (let index = block.prefix; index < block.bytes.length * 8; index++)
    if (bitAt(block.bytes, index) !== 0) return 'must not have bits set beyond the prefix length';
  return undefined;
}

/** `::1` and its like: the form in which an IPv6 address must be written where the rules are new. */
export function canonicalIp(text: string): string {
  const bytes = bytesOf(text);
  if (bytes.length === 4) return bytes.join('.');
  const words = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
  let [start, length] = [-1, 1];
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && words[end] === 0) end++;
    if (end - at > length) [start, length] = [at, end - at];
  }
  const hex = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(':');
  return start === -1 ? hex(words) : `${hex(words.slice(0, start))}::${hex(words.slice(start + length))}`;
}
