// Two sample controllers, in TypeScript and in Go, under Sieve's three patterns: stale state, unobserved state and
// intermediate state.
import { join } from 'node:path';
import { ensureGoTool } from '../real/harness/go-tool.ts';
import { repositoryRoot } from '../real/harness/paths.ts';
import { operatorTests } from './operator-tests.ts';
import simulation from './sample-controller.ts';

operatorTests('the sample controller in TypeScript', simulation, {
  commandOf: async () => `node ${join(repositoryRoot, 'examples/sample-controller/main.ts')}`,
});

operatorTests('the sample controller in Go', simulation, {
  commandOf: async () => {
    const program = await ensureGoTool({ folder: 'sample-controller', module: 'k8s.io/sample-controller' });
    return `${program} --kubeconfig={kubeconfig}`;
  },
});
