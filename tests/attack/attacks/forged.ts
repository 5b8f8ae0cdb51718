import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, type KeyPair, realClock, systemRandom } from '@windlass/base';
import type { Attack, Stage } from '../attack.ts';
import type { Identity } from '../people.ts';

const MASTERS = {
  commonName: 'kubernetes-admin',
  organizations: ['system:masters'],
  usage: 'client' as const,
};
const ISSUER = { clock: realClock, random: systemRandom };
const PATHS = ['/api/v1/secrets', '/api/v1/namespaces/kube-system/secrets', '/apis'];

/** Tokens and certificates that nobody issued, or not for this. */
export const forged: Attack = {
  name: 'forged',
  summary: 'comes with tokens and certificates that are forged, altered, expired, or made for something else',
  async start(stage, signal) {
    const found: string[] = [];
    for (const identity of [...tokens(stage), ...certificates(stage)]) {
      if (signal.aborted) break;
      const caller = stage.caller(identity);
      for (const path of PATHS) {
        const { status } = await caller.ask({ path, timeoutMs: 5000 });
        // A bad certificate is as good as none, so its holder may be refused as anonymous.
        if (status !== 401 && status !== 403 && status !== 0)
          found.push(`GET ${path} with ${identity.name} answered ${status}`);
      }
      caller.close();
    }
    return found;
  },
};

function tokens(stage: Stage): Identity[] {
  const good = stage.people.writer.token ?? '';
  const [head = '', body = '', signature = ''] = good.split('.');
  const header = read(head);
  const claims = read(body);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = stranger.publicKey.export({ type: 'spki', format: 'pem' });
  const signed = (h: object, c: object): string => {
    const text = `${write(h)}.${write(c)}`;
    return `${text}.${createSign('sha256').update(text).sign(stranger.privateKey).toString('base64url')}`;
  };
  const master = { ...claims, sub: 'system:serviceaccount:kube-system:clusterrole-aggregation-controller' };
  const forms: Record<string, string> = {
    'no signature': `${head}.${body}.`,
    'the algorithm none': `${write({ ...header, alg: 'none' })}.${body}.`,
    'the algorithm None': `${write({ ...header, alg: 'None' })}.${body}.${signature}`,
    'another key': signed(header, claims),
    'another key, in its header': signed(
      { ...header, jwk: stranger.publicKey.export({ format: 'jwk' }) },
      claims,
    ),
    'a path as its key': signed({ ...header, kid: '../../../../dev/null' }, claims),
    'a key to fetch': signed(
      { ...header, jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/' },
      claims,
    ),
    'an HMAC of the public key': `${write({ ...header, alg: 'HS256' })}.${body}.${createHmac(
      'sha256',
      publicPem,
    )
      .update(`${write({ ...header, alg: 'HS256' })}.${body}`)
      .digest('base64url')}`,
    'an HMAC of nothing': `${write({ ...header, alg: 'HS256' })}.${body}.${createHmac('sha256', '')
      .update(`${write({ ...header, alg: 'HS256' })}.${body}`)
      .digest('base64url')}`,
    'altered claims': `${head}.${write(master)}.${signature}`,
    'a later end': `${head}.${write({ ...claims, exp: 99_999_999_999 })}.${signature}`,
    'an altered signature': `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    'a part too many': `${good}.${signature}`,
    'a part too few': `${head}.${body}`,
    'critical extensions': signed({ ...header, crit: ['exp'], exp: 1 }, claims),
    'a very long claim': `${head}.${write({ ...claims, x: 'y'.repeat(6000) })}.${signature}`,
    'deep claims': `${head}.${Buffer.from(`{"a":${'['.repeat(4000)}`).toString('base64url')}.${signature}`,
    'names of the prototype': signed(header, { ...claims, __proto__: { groups: ['system:masters'] } }),
    'the word null': 'null',
    nothing: ' ',
  };
  return Object.entries(forms).map(([name, token]) => ({ name: `a token with ${name}`, token }));
}

function certificates(stage: Stage): Identity[] {
  const authority = pair(stage, 'ca');
  const other = issueCertificate({ commonName: 'windlass-ca', usage: 'authority', validDays: 10 }, ISSUER);
  const forms: Record<string, KeyPair> = {
    'its own signature': issueCertificate({ ...MASTERS, validDays: 1 }, ISSUER),
    'the signature of another authority of the same name': issueCertificate(
      { ...MASTERS, validDays: 1 },
      ISSUER,
      other,
    ),
    'an end in the past': issueCertificate({ ...MASTERS, validDays: -1 }, ISSUER, authority),
    'the use of a server': issueCertificate({ ...MASTERS, usage: 'server', validDays: 1 }, ISSUER, authority),
    'the signature of a client': issueCertificate(
      { ...MASTERS, validDays: 1 },
      ISSUER,
      // A node's certificate may sign nothing.
      { cert: stage.people.node.cert ?? '', key: stage.people.node.key ?? '' },
    ),
  };
  return Object.entries(forms).map(([name, { cert, key }]) => ({
    name: `a certificate with ${name}`,
    cert,
    key,
  }));
}

function pair({ victim }: Stage, name: string): KeyPair {
  const file = (suffix: string): string =>
    readFileSync(join(victim.dataDir, 'pki', `${name}.${suffix}`), 'utf8');
  return { cert: file('crt'), key: file('key') };
}

function read(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
}

function write(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
