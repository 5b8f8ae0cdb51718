// An operator with webhooks, two versions and derived roles, installed on a real API server.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient, loadConfig } from '@windlass/client';
import { walkWebsiteOperator } from '../support/website-operator.ts';
import { startRealCluster } from './harness/index.ts';

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  users: ["system:serviceaccount:website:website"]
- level: None
`;

test('the example operator runs with its derived roles, and nothing is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-website-'));
  t.after(() => rm(folder, { recursive: true }));
  const auditLog = join(folder, 'audit.log');
  const policy = join(folder, 'policy.yaml');
  await writeFile(policy, POLICY);
  await using cluster = await startRealCluster({
    apiServerArgs: [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`],
  });
  await using client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
  await walkWebsiteOperator({ client, server: cluster.server, ca: cluster.ca, folder, auditLog });
});
