// Which serving certificates nodes get without people. A node says itself which addresses it has, so that those of
// others must be out of its reach: its certificate is of the authority that vouches for the API server, too.
import { BlockList, isIP } from 'node:net';
import type { Cached } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { SigningRequest } from '@windlass/base';
import type { ServingApproval } from '../options/controller-options.ts';
import {
  KUBELET_SERVING,
  NODE_USER,
  NODES_GROUP,
  type ReadonlyRequest,
  signerProblem,
} from './request-rules.ts';

type ReadonlyNode = Cached<Node>;

/** The name of the node that asks for its own serving certificate; undefined when the request is another one. */
export function servingNodeOf({ spec }: ReadonlyRequest, asked: SigningRequest): string | undefined {
  const { signerName, username = '', groups = [], usages = [] } = spec;
  if (signerName !== KUBELET_SERVING || !username.startsWith(NODE_USER) || !groups.includes(NODES_GROUP))
    return undefined;
  if (asked.commonName !== username || signerProblem(signerName, asked, usages) !== undefined)
    return undefined;
  return username.slice(NODE_USER.length);
}

/** Why a node does not get a certificate for these names now; undefined when it does. */
export function servingProblem(
  asked: Pick<SigningRequest, 'dnsNames' | 'ipAddresses'>,
  node: ReadonlyNode | undefined,
  nodes: readonly ReadonlyNode[],
  { reservedHosts }: ServingApproval,
): string | undefined {
  if (node === undefined) return 'the node does not exist';
  const own = addressesOf(node);
  const reserved = new Set(reservedHosts.map(normal));
  const others = nodes.filter(({ metadata }) => metadata.name !== node.metadata.name);
  const foreign = new Set(others.flatMap((other) => [...addressesOf(other), other.metadata.name]));
  for (const host of [...asked.dnsNames.map(normal), ...asked.ipAddresses.map(addressText)]) {
    if (!own.has(host)) return `the node's status does not have the address ${host}`;
    if (reserved.has(host) || isNobodys(host)) return `${host} may be no node's`;
    if (foreign.has(host)) return `${host} is another node's, too`;
  }
  return undefined;
}

function addressesOf({ status }: ReadonlyNode): Set<string> {
  return new Set((status?.addresses ?? []).map(({ address }) => normal(address)));
}

/** As one writes it, whoever writes it. */
function normal(host: string): string {
  if (isIP(host) !== 6) return host.toLowerCase().replace(/\.$/, '');
  return new URL(`http://[${host}]`).hostname.slice(1, -1);
}

function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  return normal((Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? []).join(':'));
}

const NOBODYS = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  NOBODYS.addSubnet(net, prefix);
for (const [net, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  NOBODYS.addSubnet(net, prefix, 'ipv6');

/** Names of services, and addresses that mean something else on each machine. */
function isNobodys(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return /(?:^|\.)(?:localhost|svc|cluster\.local)$|\.svc\./.test(host);
  return NOBODYS.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
