import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it } from 'node:test';
import { detachedSignature } from './detached-signature.ts';

it('a text is signed as kubeadm checks it', () => {
  // The values of Kubernetes' own test of its signer.
  const text = 'Hello from the other side. I must have called a thousand times.';
  assert.equal(
    detachedSignature(text, 'joshua', 'my voice is my passcode'),
    'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
  );
});

it('with its payload it is an ordinary JSON Web Signature', () => {
  const [head = '', , signature] = detachedSignature('žluťoučký', 'abcdef', 's').split('.');
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { alg: 'HS256', kid: 'abcdef' });
  const signed = `${head}.${Buffer.from('žluťoučký').toString('base64url')}`;
  assert.equal(signature, createHmac('sha256', 's').update(signed).digest('base64url'));
});
