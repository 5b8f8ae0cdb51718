import type { Attack } from '../attack.ts';
import { MARKER, OTHER_SECRET as OTHER, OWN_SECRET as OWN, VAULT_NAMESPACE } from '../people.ts';
import { swarm } from '../swarm.ts';

const BASE = `/api/v1/namespaces/${VAULT_NAMESPACE}/secrets`;
const WATCH = `/api/v1/watch/namespaces/${VAULT_NAMESPACE}/secrets`;
const SHOWN = new RegExp(
  `${MARKER}|${Buffer.from(MARKER).toString('base64').replace(/=+$/, '').slice(0, -2)}`,
);

/** Every way to one secret, which somebody with a right to another one may try. */
const PATHS: readonly string[] = [
  `${BASE}/${OTHER}`,
  BASE,
  '/api/v1/secrets',
  `${BASE}?watch=true`,
  `/api/v1/secrets?watch=true`,
  `${WATCH}/${OWN}`,
  `${WATCH}/${OTHER}`,
  WATCH,
  '/api/v1/watch/secrets',
  `${WATCH}/${OWN}/status`,
  `${WATCH}/${OWN}?fieldSelector=metadata.name%3D${OTHER}`,
  `${WATCH}?fieldSelector=metadata.name%3D${OWN}`,
  `${BASE}/${OWN}?watch=true`,
  `${BASE}/${OWN}?watch=true&fieldSelector=metadata.name%3D${OTHER}`,
  `${BASE}/${OWN}?fieldSelector=metadata.name%3D${OTHER}`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}`,
  `${BASE}?fieldSelector=metadata.name%3D${OTHER}`,
  `${BASE}?fieldSelector=metadata.name%3D%3D${OWN}`,
  `${BASE}?fieldSelector=metadata.name!%3D${OWN}`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}%2Cmetadata.namespace%3D${VAULT_NAMESPACE}`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}&fieldSelector=metadata.name%3D${OTHER}`,
  `${BASE}?fieldSelector=metadata.name%3D${OTHER}&fieldSelector=metadata.name%3D${OWN}`,
  `${BASE}?fieldSelector=&fieldSelector=metadata.name%3D${OWN}`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}&watch=0&watch=true`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}%20`,
  `${BASE}?fieldSelector=%20metadata.name%3D${OWN}`,
  `${BASE}?fieldSelector=metadata.name%3D${OWN}%5C%2C`,
  `${BASE}?labelSelector=a%21%3Db&fieldSelector=metadata.name%3D${OWN}&limit=1`,
  `${BASE}/${OWN}/../${OTHER}`,
  `${BASE}/${OWN}/%2e%2e/${OTHER}`,
  `${BASE}/${OWN}%2f..%2f${OTHER}`,
  `${BASE}//${OTHER}`,
  `${BASE}/${OTHER}/`,
  `${BASE}/${OTHER}/status`,
  `${BASE}/${OTHER}/proxy`,
  `${BASE}/${OWN}/${OTHER}`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}//secrets/${OTHER}`,
  `//api/v1/namespaces/${VAULT_NAMESPACE}/secrets/${OTHER}`,
  `/API/v1/namespaces/${VAULT_NAMESPACE}/secrets/${OTHER}`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}/Secrets/${OTHER}`,
  `/apis/v1/namespaces/${VAULT_NAMESPACE}/secrets/${OTHER}`,
  `/api/v1/proxy/namespaces/${VAULT_NAMESPACE}/secrets/${OTHER}`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}/pods/reader/exec?command=cat`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}/pods/reader/attach`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}/pods/reader/log`,
  `/api/v1/namespaces/${VAULT_NAMESPACE}/pods/reader/proxy/etc`,
  `/api/v1/nodes/node-1/proxy/pods`,
  '/metrics',
  '/openapi/v2',
];

/** Writes that answer with what they wrote over or deleted. */
const WRITES: readonly (readonly [method: string, path: string, type: string, body: unknown])[] = [
  ['PATCH', `${BASE}/${OTHER}`, 'application/merge-patch+json', { metadata: { labels: { a: 'b' } } }],
  ['PATCH', `${BASE}/${OTHER}?dryRun=All`, 'application/merge-patch+json', {}],
  ['PATCH', `${BASE}/${OWN}`, 'application/merge-patch+json', { metadata: { name: OTHER } }],
  [
    'PATCH',
    `${BASE}/${OWN}`,
    'application/apply-patch+yaml',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: OTHER } },
  ],
  ['PUT', `${BASE}/${OWN}`, 'application/json', { metadata: { name: OTHER } }],
  ['PUT', `${BASE}/${OTHER}`, 'application/json', { metadata: { name: OTHER } }],
  ['POST', BASE, 'application/json', { metadata: { name: OTHER } }],
  ['POST', `${BASE}/${OWN}`, 'application/json', { metadata: { name: OTHER } }],
  ['DELETE', `${BASE}/${OTHER}?dryRun=All`, 'application/json', {}],
  ['DELETE', `${BASE}?dryRun=All`, 'application/json', {}],
  ['DELETE', `${BASE}?dryRun=All&fieldSelector=metadata.name%3D${OWN}`, 'application/json', {}],
  ['DELETE', `${BASE}?dryRun=All&fieldSelector=metadata.name%3D${OTHER}`, 'application/json', {}],
];

const FORMS = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
];

/** Whoever has a right to one object must not see another one, on no path. */
export const rights: Attack = {
  name: 'rights',
  summary:
    'looks for another secret on every path, as anonymous, without rights, with resourceNames, and as a node',
  async start(stage, signal) {
    const { anonymous, powerless, named, node, admin } = stage.people;
    const found = new Set<string>();
    // Without this the rest would show nothing.
    const open = await stage.caller(admin).ask({ path: BASE });
    if (!SHOWN.test(open.text)) found.add('the secret is not there: the attack does not work');
    const own = await stage.caller(named).ask({ path: `${BASE}/${OWN}` });
    if (own.status !== 200) found.add(`a right by resourceNames does not give its own secret: ${own.status}`);
    const asks = [
      ...FORMS.flatMap((accept) => PATHS.map((path) => ({ path: bounded(path), headers: { accept } }))),
      ...WRITES.map(([method, path, type, body]) => ({
        method,
        path,
        headers: { 'content-type': type },
        body,
      })),
    ];
    for (const identity of [anonymous, powerless, named, node]) {
      const caller = stage.caller(identity);
      await swarm(asks.length, 10, signal, async (index) => {
        const ask = asks[index];
        if (ask === undefined) return;
        const { text, status } = await caller.ask({ ...ask, timeoutMs: 4000, signal });
        if (SHOWN.test(text))
          found.add(
            `${identity.name} saw the content of another secret: ${'method' in ask ? ask.method : 'GET'} ${ask.path} (${status})`,
          );
      });
    }
    const still = await stage.caller(admin).ask({ path: `${BASE}/${OTHER}` });
    if (!SHOWN.test(still.text) || /"a": ?"b"/.test(still.text)) found.add('the other secret was changed');
    return [...found];
  },
};

/** A watch would have no end. */
function bounded(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}timeoutSeconds=1`;
}
