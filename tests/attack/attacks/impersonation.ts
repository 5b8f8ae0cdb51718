import type { Attack } from '../attack.ts';

const PATHS = ['/api/v1/secrets', '/api/v1/namespaces/vault/secrets/others'];

/** Headers by which somebody claims to be another one. */
const CLAIMS: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'impersonate-user': 'kubernetes-admin' },
  { 'impersonate-user': 'kubernetes-admin', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'a', 'impersonate-group': ['system:authenticated', 'system:masters'] },
  { 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'system:node:node-1', 'impersonate-group': 'system:nodes' },
  { 'impersonate-user': 'system:serviceaccount:attack:writer' },
  { 'impersonate-user': '', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'a', 'impersonate-uid': '0' },
  { 'impersonate-uid': '0' },
  { 'impersonate-user': 'a', 'impersonate-extra-scopes': 'all' },
  { 'impersonate-extra-%zz': 'b' },
  { 'impersonate-user': 'a', 'impersonate-nonsense': 'b' },
  { 'x-remote-user': 'kubernetes-admin', 'x-remote-group': 'system:masters' },
  { 'x-forwarded-user': 'kubernetes-admin', 'x-forwarded-for': '127.0.0.1' },
  { 'x-http-method-override': 'DELETE' },
];

/** Nobody without that right becomes somebody else. */
export const impersonation: Attack = {
  name: 'impersonation',
  summary: 'claims to be an administrator, a node or a service account in headers',
  async start(stage, signal) {
    const { anonymous, powerless, named, node } = stage.people;
    const found: string[] = [];
    for (const identity of [anonymous, powerless, named, node]) {
      const caller = stage.caller(identity);
      for (const headers of CLAIMS)
        for (const path of PATHS) {
          if (signal.aborted) return found;
          const { status } = await caller.ask({ path, headers });
          if (status < 400)
            found.push(`${identity.name} with ${JSON.stringify(headers)} got ${status} for ${path}`);
        }
    }
    return found;
  },
};
