// Which requests are signed and approved, and when they go, as tables.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { formatTime, type Served } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { served } from '@windlass/apimachinery/testing';
import {
  createSigningRequest,
  FakeClock,
  issueCertificate,
  parseSigningRequest,
  SeededRandom,
  type SigningRequest,
} from '@windlass/base';
import { cleanUpTime } from './clean-up.ts';
import { recognize, signerProblem, validityMs } from './request-rules.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const asks = (commonName: string, organizations: string[], hosts: string[] = []): SigningRequest =>
  parseSigningRequest(createSigningRequest({ commonName, organizations, hosts }, privateKey));
const node = asks('system:node:n1', ['system:nodes']);
const server = asks('system:node:n1', ['system:nodes'], ['n1', '10.0.0.1']);
const CLIENT = ['digital signature', 'key encipherment', 'client auth'];
const SERVER = ['digital signature', 'server auth'];

it('each signer signs what it is for', () => {
  const rows: readonly [signer: string, SigningRequest, usages: string[], RegExp | undefined][] = [
    ['kube-apiserver-client-kubelet', node, CLIENT, undefined],
    ['kube-apiserver-client-kubelet', node, ['digital signature', 'client auth'], undefined],
    ['kube-apiserver-client-kubelet', node, ['client auth'], /usages did not match/],
    ['kube-apiserver-client-kubelet', node, [...CLIENT, 'server auth'], /usages did not match/],
    ['kube-apiserver-client-kubelet', server, CLIENT, /DNS subjectAltNames are not allowed/],
    ['kube-apiserver-client-kubelet', asks('system:node:n1', ['system:nodes', 'x']), CLIENT, /organization/],
    ['kube-apiserver-client-kubelet', asks('n1', ['system:nodes']), CLIENT, /common name/],
    ['kubelet-serving', server, SERVER, undefined],
    ['kubelet-serving', node, SERVER, /DNS or IP subjectAltName is required/],
    ['kubelet-serving', server, CLIENT, /usages did not match/],
    ['kube-apiserver-client', asks('jane', ['dev']), CLIENT, undefined],
    [
      'kube-apiserver-client',
      asks('jane', ['dev']),
      SERVER,
      /invalid usage for client certificate: server auth/,
    ],
    ['kube-apiserver-client', asks('jane', ['dev']), ['digital signature'], /missing required usage/],
    ['legacy-unknown', asks('any', []), ['any'], undefined],
    ['legacy-unknown', asks('any', []), ['flying'], /unrecognized usage values: \[flying\]/],
  ];
  for (const [signer, request, usages, wanted] of rows) {
    const problem = signerProblem(`kubernetes.io/${signer}`, request, usages);
    if (wanted === undefined) assert.equal(problem, undefined, `${signer} ${usages.join(',')}`);
    else assert.match(problem ?? '', wanted);
  }
});

it('nodes that join and nodes that renew are recognized', () => {
  const kinds = (
    username: string,
    request: SigningRequest,
    usages = CLIENT,
    signer = 'kube-apiserver-client-kubelet',
  ) =>
    recognize(
      served(CertificateSigningRequest, {
        spec: { request: '', signerName: `kubernetes.io/${signer}`, username, usages },
      }),
      request,
    ).map(({ subresource }) => subresource);
  assert.deepEqual(kinds('system:bootstrap:x', node), ['nodeclient']);
  assert.deepEqual(kinds('system:node:n1', node), ['selfnodeclient', 'nodeclient']);
  assert.deepEqual(kinds('system:node:n1', server), []);
  assert.deepEqual(kinds('system:node:n1', node, SERVER), []);
  assert.deepEqual(kinds('system:node:n1', node, CLIENT, 'kube-apiserver-client'), []);
});

it('a certificate is valid for as long as was asked for, within bounds', () => {
  const lasts = (expirationSeconds?: number): number =>
    validityMs(
      served(CertificateSigningRequest, {
        spec: { request: '', signerName: '', ...(expirationSeconds !== undefined && { expirationSeconds }) },
      }),
      3_600_000,
    );
  assert.equal(lasts(), 3_600_000);
  assert.equal(lasts(1800), 1_800_000);
  assert.equal(lasts(60), 600_000);
  assert.equal(lasts(86_400), 3_600_000);
});

describe('a request goes', () => {
  const clock = new FakeClock();
  const born = formatTime(clock.now());
  const cert = issueCertificate(
    { commonName: 'x', usage: 'client', validDays: 0.02 },
    { clock, random: new SeededRandom(1) },
  ).cert;
  const hours = (types: readonly string[], certificate?: string): number => {
    const request: Served<CertificateSigningRequest> = served(CertificateSigningRequest, {
      metadata: { name: 'r', creationTimestamp: born },
      spec: { request: '', signerName: '' },
      status: {
        conditions: types.map((type) => ({ type, status: 'True', lastUpdateTime: born })),
        ...(certificate !== undefined && { certificate }),
      },
    });
    return (cleanUpTime(request) - clock.now()) / 3_600_000;
  };
  it('after a day when nobody looked at it', () => assert.equal(hours([]), 24));
  it('an hour after it was denied', () => assert.equal(hours(['Denied']), 1));
  it('an hour after it failed', () => assert.equal(hours(['Approved', 'Failed']), 1));
  it('a day after it was approved and nobody signed', () => assert.equal(hours(['Approved']), 24));
  it('an hour after it was signed', () => assert.equal(hours(['Approved'], 'eA=='), 1));
  it('with its certificate', () =>
    assert.ok(hours(['Approved'], Buffer.from(cert).toString('base64')) < 0.48));
});
