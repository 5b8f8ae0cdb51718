import { FieldPath, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '@windlass/apimachinery/api/networking/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { containsBlock, parseBlock, validateBlock } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];

type Peers = readonly View<NetworkPolicyPeer>[];
type Ports = readonly View<NetworkPolicyPort>[];

export const networkPolicyValidation: ValidationOf<NetworkPolicy> = {
  create: (policy, findings) => validatePolicy(policy, new Set(), findings),
  update: (policy, old, findings) => validatePolicy(policy, blocksOf(old), findings),
};

function validatePolicy(
  { spec = {} }: View<NetworkPolicy>,
  known: ReadonlySet<string>,
  findings: Findings,
): void {
  findings.selector(SPEC.child('podSelector'), spec.podSelector);
  for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
    const path = SPEC.child('ingress').index(index);
    validatePorts(ports ?? [], path.child('ports'), findings);
    validatePeers(from ?? [], path.child('from'), known, findings);
  }
  for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
    const path = SPEC.child('egress').index(index);
    validatePorts(ports ?? [], path.child('ports'), findings);
    validatePeers(to ?? [], path.child('to'), known, findings);
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) {
    findings.invalid(SPEC.child('policyTypes'), types, 'may not specify more than two policyTypes');
    return;
  }
  for (const [index, type] of types.entries())
    findings.oneOf(SPEC.child('policyTypes').index(index), type, ['Ingress', 'Egress']);
}

function validatePorts(ports: Ports, path: FieldPath, findings: Findings): void {
  for (const [index, port] of ports.entries()) validatePort(port, path.index(index), findings);
}

function validatePort(given: View<NetworkPolicyPort>, path: FieldPath, findings: Findings): void {
  const { port, endPort } = given;
  findings.oneOf(path.child('protocol'), given.protocol, PROTOCOLS);
  const end = path.child('endPort');
  if (typeof port === 'number') {
    findings.problems(path.child('port'), port, validatePortNumber(port));
    if (endPort === undefined) return;
    if (endPort < port) findings.invalid(end, port, 'must be greater than or equal to `port`');
    findings.problems(end, endPort, validatePortNumber(endPort));
  } else if (typeof port === 'string') {
    if (endPort !== undefined)
      findings.invalid(end, endPort, 'may not be specified when `port` is non-numeric');
    findings.problems(path.child('port'), port, validatePortName(port));
  } else if (endPort !== undefined)
    findings.invalid(end, endPort, 'may not be specified when `port` is not specified');
}

function validatePeers(peers: Peers, path: FieldPath, known: ReadonlySet<string>, findings: Findings): void {
  for (const [index, peer] of peers.entries()) validatePeer(peer, path.index(index), known, findings);
}

function validatePeer(
  peer: View<NetworkPolicyPeer>,
  path: FieldPath,
  known: ReadonlySet<string>,
  findings: Findings,
): void {
  const { ipBlock } = peer;
  let count = 0;
  for (const field of ['podSelector', 'namespaceSelector'] as const) {
    const selector = peer[field];
    if (selector === undefined) continue;
    count++;
    findings.selector(path.child(field), selector);
  }
  if (ipBlock !== undefined) {
    count++;
    validateIpBlock(ipBlock, path.child('ipBlock'), known, findings);
  }
  if (count === 0) findings.required(path, 'must specify a peer');
  else if (count > 1 && ipBlock !== undefined)
    findings.forbidden(path, 'may not specify both ipBlock and another peer');
}

function validateIpBlock(
  { cidr = '', except }: View<IPBlock>,
  path: FieldPath,
  known: ReadonlySet<string>,
  findings: Findings,
): void {
  if (cidr === '') {
    findings.required(path.child('cidr'));
    return;
  }
  if (!known.has(cidr)) validateBlock(findings, path.child('cidr'), cidr);
  const block = parseBlock(cidr);
  if (block === undefined) return;
  for (const [index, text] of (except ?? []).entries()) {
    const at = path.child('except').index(index);
    if (!known.has(text)) validateBlock(findings, at, text);
    const inner = parseBlock(text);
    if (inner !== undefined && (!containsBlock(block, inner) || block.prefix >= inner.prefix))
      findings.invalid(at, text, 'must be a strict subset of `cidr`');
  }
}

/** What was accepted once is accepted again. */
function blocksOf({ spec }: View<NetworkPolicy>): Set<string> {
  const peers = [
    ...(spec?.ingress ?? []).flatMap(({ from }) => from ?? []),
    ...(spec?.egress ?? []).flatMap(({ to }) => to ?? []),
  ];
  return new Set(
    peers.flatMap(({ ipBlock }) =>
      ipBlock === undefined ? [] : [ipBlock.cidr ?? '', ...(ipBlock.except ?? [])],
    ),
  );
}
