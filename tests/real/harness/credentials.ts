// Everything that proves who is who in one test cluster, written into one folder.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority, type KeyPair } from './certificates.ts';

/** Who `userToken` and the `user` certificate speak for: no rights but those a test grants. */
export const PLAIN_USER = 'jane';
export const PLAIN_USER_GROUP = 'windlass:testers';

export interface Credentials {
  readonly authority: CertificateAuthority;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  readonly user: KeyPair;
  readonly adminToken: string;
  readonly userToken: string;
  readonly tokenFile: string;
  readonly serviceAccountKeyFile: string;
}

export async function createCredentials(folder: string): Promise<Credentials> {
  const authority = await CertificateAuthority.create(folder);
  const server = await authority.issueServer('server');
  const admin = await authority.issueClient('admin', { user: 'admin', groups: ['system:masters'] });
  const user = await authority.issueClient('user', { user: PLAIN_USER, groups: [PLAIN_USER_GROUP] });
  const [adminToken, userToken] = [newToken(), newToken()];
  const tokenFile = join(folder, 'tokens.csv');
  await writeFile(
    tokenFile,
    `${adminToken},admin,admin-uid,"system:masters"\n${userToken},${PLAIN_USER},${PLAIN_USER}-uid,"${PLAIN_USER_GROUP}"\n`,
    { mode: 0o600 },
  );
  const serviceAccountKeyFile = join(folder, 'service-account.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(serviceAccountKeyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), {
    mode: 0o600,
  });
  return { authority, server, admin, user, adminToken, userToken, tokenFile, serviceAccountKeyFile };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
