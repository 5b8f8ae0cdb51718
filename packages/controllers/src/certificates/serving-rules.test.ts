import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { createSigningRequest, parseSigningRequest, type SigningRequest } from '@windlass/base';
import { servingNodeOf, servingProblem } from './serving-rules.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const asks = (hosts: readonly string[], commonName = 'system:node:n1'): SigningRequest =>
  parseSigningRequest(
    createSigningRequest({ commonName, organizations: ['system:nodes'], hosts }, privateKey),
  );
const nodeWith = (name: string, ...addresses: string[]) =>
  served(Node, {
    metadata: { name },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  });

describe('a node asks for its own serving certificate', () => {
  const GOOD = {
    signerName: 'kubernetes.io/kubelet-serving',
    username: 'system:node:n1',
    groups: ['system:nodes', 'system:authenticated'],
    usages: ['digital signature', 'server auth'],
  };
  const nameOf = (spec: Partial<typeof GOOD>, asked = asks(['n1', '10.1.0.5'])): string | undefined =>
    servingNodeOf(served(CertificateSigningRequest, { spec: { request: '', ...GOOD, ...spec } }), asked);
  it('when it is all its own', () => assert.equal(nameOf({}), 'n1'));
  for (const [why, spec, asked] of [
    ['for another signer', { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' }],
    ['as somebody who is no node', { username: 'jane' }],
    ['as who is not in the group', { groups: ['system:authenticated'] }],
    ['as another node', { username: 'system:node:n2' }],
    ['to be a client as well', { usages: [...GOOD.usages, 'client auth'] }],
    ['without any name', {}, asks([])],
  ] as const)
    it(`and not ${why}`, () => assert.equal(nameOf({ ...spec } as Partial<typeof GOOD>, asked), undefined));
});

describe('a serving certificate', () => {
  const addresses = ['n1', '10.1.0.5', 'fd00:0::5', '10.1.0.1', '127.0.0.1', '::1', '169.254.1.1'];
  const names = ['kubernetes.default.svc', 'hook.shop.svc', 'x.cluster.local', 'localhost', 'n2', '10.1.0.9'];
  const node = nodeWith('n1', ...addresses, ...names, '10.1.0.6');
  const nodes = [node, nodeWith('n2', '10.1.0.6')];
  const reservedHosts = ['10.1.0.1', 'kubernetes', '10.1.0.9'];
  const problem = (...hosts: string[]) => servingProblem(asks(hosts), node, nodes, { reservedHosts });

  it("is for the node's own addresses", () => assert.equal(problem('n1', '10.1.0.5', 'fd00::5'), undefined));
  it('is not for a node that does not exist', () =>
    assert.match(servingProblem(asks(['n1']), undefined, nodes, { reservedHosts }) ?? '', /does not exist/));
  for (const [host, wanted] of [
    ['10.1.0.7', /status does not have the address 10\.1\.0\.7/],
    ['elsewhere', /does not have the address elsewhere/],
    ['10.1.0.1', /may be no node's/],
    ['10.1.0.9', /may be no node's/],
    ['127.0.0.1', /may be no node's/],
    ['::1', /may be no node's/],
    ['169.254.1.1', /may be no node's/],
    ['localhost', /may be no node's/],
    ['kubernetes.default.svc', /may be no node's/],
    ['hook.shop.svc', /may be no node's/],
    ['x.cluster.local', /may be no node's/],
    ['10.1.0.6', /another node's/],
    ['n2', /another node's/],
  ] as const)
    it(`is not for ${host}, whatever the node says`, () => assert.match(problem('n1', host) ?? '', wanted));
});
