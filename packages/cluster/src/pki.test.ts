import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLogger, issueCertificate, type LogRecord, realClock, systemRandom } from '@windlass/base';
import { loadPki, type Pki } from './pki.ts';

async function load(directory: string): Promise<{ pki: Pki; warnings: string[] }> {
  const records: LogRecord[] = [];
  const logger = createLogger((record) => void records.push(record), 'warn');
  const options = { directory, hosts: ['127.0.0.1'], clock: realClock, random: systemRandom, logger };
  return { pki: await loadPki(options), warnings: records.map(({ message }) => message) };
}

function isWhole({ authority, server, admin }: Pki): boolean {
  const root = new X509Certificate(authority.cert);
  return [authority, server, admin].every(({ cert, key }) => {
    const certificate = new X509Certificate(cert);
    return certificate.checkPrivateKey(createPrivateKey(key)) && certificate.verify(root.publicKey);
  });
}

test('a file that is deleted or of another time: what is loaded fits together, and what is lost is told', async (context) => {
  const base = mkdtempSync(join(tmpdir(), 'windlass-pki-'));
  context.after(() => rmSync(base, { recursive: true }));
  for (const name of ['older', 'newer']) assert.deepEqual((await load(join(base, name))).warnings, []);
  const { pki: before, warnings } = await load(join(base, 'newer'));
  assert.deepEqual(warnings, []);
  for (const file of readdirSync(join(base, 'newer')))
    for (const how of ['deleted', 'older'] as const) {
      const directory = join(base, `${file}-${how}`);
      cpSync(join(base, 'newer'), directory, { recursive: true });
      if (how === 'deleted') rmSync(join(directory, file));
      else cpSync(join(base, 'older', file), join(directory, file));
      const loaded = await load(directory);
      assert.ok(isWhole(loaded.pki), directory);
      const isLost = (part: 'authority' | 'serviceAccountKey'): boolean =>
        JSON.stringify(loaded.pki[part]) !== JSON.stringify(before[part]);
      assert.equal(
        loaded.warnings.some((text) => text.startsWith('ca.crt')),
        isLost('authority'),
        directory,
      );
      if (how === 'deleted')
        assert.equal(
          loaded.warnings.some((text) => text.startsWith('sa.key')),
          isLost('serviceAccountKey'),
          directory,
        );
      assert.deepEqual((await load(directory)).warnings, [], 'told once');
    }
});

test("the administrator's key is RSA in PKCS#1, which clients in Java read too; one of another kind is made anew", async (context) => {
  const base = mkdtempSync(join(tmpdir(), 'windlass-pki-'));
  context.after(() => rmSync(base, { recursive: true }));
  const { pki } = await load(base);
  assert.match(pki.admin.key, /^-----BEGIN RSA PRIVATE KEY-----\n/);
  const issuer = { clock: realClock, random: systemRandom };
  const request = { commonName: 'kubernetes-admin', usage: 'client', validDays: 365 } as const;
  const elliptic = issueCertificate(request, issuer, pki.authority);
  writeFileSync(join(base, 'admin.crt'), elliptic.cert);
  writeFileSync(join(base, 'admin.key'), elliptic.key);
  const again = await load(base);
  assert.deepEqual(again.warnings, []);
  assert.ok(isWhole(again.pki));
  assert.match(again.pki.admin.key, /BEGIN RSA/);
  assert.deepEqual((await load(base)).pki.admin, again.pki.admin, 'kept');
});
