// Who takes part: strangers who attack, and honest people who must not notice.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { Caller } from './caller.ts';
import type { Place } from './place.ts';

/** How somebody proves who they are: with a certificate, with a token, or not at all. */
export interface Identity {
  readonly name: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

export interface People {
  readonly admin: Identity;
  /** A normal user with rights in the namespace `honest`. */
  readonly user: Identity;
  /** Asks for health and has no other right. */
  readonly prober: Identity;
  readonly anonymous: Identity;
  /** A service account that nothing was given to. */
  readonly powerless: Identity;
  /** A service account that may do everything in the namespace `attack`, and read the namespace `big`. */
  readonly writer: Identity;
  /** A service account that may do everything with one secret, by `resourceNames`. */
  readonly named: Identity;
  /** A node, by its certificate; a pod on it needs the secret `mine` and no other. */
  readonly node: Identity;
}

export const ATTACK_NAMESPACE = 'attack';
/** Where the service accounts are, out of reach of those who may write elsewhere. */
const PEOPLE_NAMESPACE = 'people';
export const BIG_NAMESPACE = 'big';
export const HONEST_NAMESPACE = 'honest';
export const VAULT_NAMESPACE = 'vault';
/** The secret that `named` and `node` may read, and the one that they may not. */
export const OWN_SECRET = 'mine';
export const OTHER_SECRET = 'others';
/** What is in the other secret: whoever sees it got past the rights. */
export const MARKER = 'the-content-that-nobody-else-may-see';
export const NODE_NAME = 'node-1';

const TOKEN_SECONDS = 6 * 3600;

/** Makes the namespaces, accounts, roles, secrets and certificates. Twice does no harm. */
export async function gatherPeople(place: Place, dataDir: string): Promise<People> {
  const pem = (name: string): Promise<string> => readFile(join(dataDir, 'pki', name), 'utf8');
  const admin = { name: 'admin', cert: await pem('admin.crt'), key: await pem('admin.key') };
  const authority = { cert: await pem('ca.crt'), key: await pem('ca.key') };
  const caller = new Caller(place, admin);
  try {
    for (const namespace of [
      PEOPLE_NAMESPACE,
      ATTACK_NAMESPACE,
      BIG_NAMESPACE,
      HONEST_NAMESPACE,
      VAULT_NAMESPACE,
    ])
      await make(caller, '/api/v1/namespaces', { metadata: { name: namespace } });
    await makeVault(caller);
    await bind(caller, ATTACK_NAMESPACE, 'writer', '*');
    await bind(caller, BIG_NAMESPACE, 'writer', 'configmaps');
    await bind(caller, HONEST_NAMESPACE, 'user', 'configmaps');
    const account = async (name: string): Promise<Identity> => ({ name, token: await tokenOf(caller, name) });
    const node = issueCertificate(
      {
        commonName: `system:node:${NODE_NAME}`,
        organizations: ['system:nodes'],
        usage: 'client',
        validDays: 1,
      },
      { clock: realClock, random: systemRandom },
      authority,
    );
    return {
      admin,
      anonymous: { name: 'anonymous' },
      node: { name: 'node', ...node },
      user: await account('user'),
      prober: await account('prober'),
      powerless: await account('powerless'),
      writer: await account('writer'),
      named: await account('named'),
    };
  } finally {
    caller.close();
  }
}

/** Two secrets; a service account has a right to one of them, and a pod on the node needs that one. */
async function makeVault(caller: Caller): Promise<void> {
  const base = `/api/v1/namespaces/${VAULT_NAMESPACE}`;
  await make(caller, `${base}/secrets`, { metadata: { name: OWN_SECRET }, stringData: { key: 'own' } });
  await make(caller, `${base}/secrets`, { metadata: { name: OTHER_SECRET }, stringData: { key: MARKER } });
  await make(caller, `${base}/pods`, {
    metadata: { name: 'reader' },
    spec: {
      nodeName: NODE_NAME,
      containers: [{ name: 'main', image: 'busybox' }],
      volumes: [{ name: 'own', secret: { secretName: OWN_SECRET } }],
    },
  });
  await bind(caller, VAULT_NAMESPACE, 'named', 'secrets', [OWN_SECRET]);
}

async function bind(
  caller: Caller,
  namespace: string,
  account: string,
  resource: string,
  resourceNames?: readonly string[],
): Promise<void> {
  const base = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const rule = {
    apiGroups: ['*'],
    resources: [resource],
    verbs: ['*'],
    ...(resourceNames && { resourceNames }),
  };
  await make(caller, `${base}/roles`, { metadata: { name: account }, rules: [rule] });
  await make(caller, `${base}/rolebindings`, {
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: PEOPLE_NAMESPACE }],
  });
}

async function tokenOf(caller: Caller, name: string): Promise<string> {
  const base = `/api/v1/namespaces/${PEOPLE_NAMESPACE}/serviceaccounts`;
  await make(caller, base, { metadata: { name } });
  const text = await make(caller, `${base}/${name}/token`, { spec: { expirationSeconds: TOKEN_SECONDS } });
  // A TokenRequest that was answered with 201 has its token.
  return (JSON.parse(text) as { status: { token: string } }).status.token;
}

/** Creates an object that may be there already. @throws Error when it is refused */
export async function make(caller: Caller, path: string, body: unknown): Promise<string> {
  const { status, text } = await caller.ask({ method: 'POST', path, body });
  if (status !== 201 && status !== 409)
    throw new Error(`POST ${path} answered ${status}: ${text.slice(0, 300)}`);
  return text;
}
