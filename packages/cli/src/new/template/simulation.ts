import type { ProjectNames } from '../project-names.ts';

export function simulationModule({ name, kind }: ProjectNames): string {
  return `// What happens to the operator in a simulation, and what must hold: \`npm run sim\` runs it with many seeds, each of
// which lets other things go wrong at other times. The end must always be as if nothing had gone wrong.
import { Deployment } from 'windlass/api/apps/v1';
import { defineSimulation } from 'windlass/simulation';
import { definitions, register, webhooks } from './operator.ts';
import { ${kind} } from './resource.ts';

export default defineSimulation('${name}', {
  definitions,
  webhooks,
  processes: { operator: { setUp: register, replicas: 2, leaderElection: true } },
  workload: async ({ client, pass, until }) => {
    const objects = client.resource(${kind}).namespace('default');
    const deployments = client.resource(Deployment).namespace('default');
    await objects.create({ metadata: { name: 'first' }, spec: { image: 'example:1', replicas: 2 } });
    await until('the Deployment is there', async () => (await deployments.list()).items.length > 0);
    await objects.patch('first', { spec: { replicas: 3 } });
    await pass(5000);
  },
  invariants: {
    'each ${kind} has its Deployment': async (state) => {
      for (const { metadata, spec } of await state.list(${kind})) {
        const deployment = await state.find(Deployment, metadata.name, metadata.namespace);
        if (deployment?.spec?.replicas !== spec.replicas)
          return \`\${metadata.name} wants \${spec.replicas} replicas, and has \${deployment?.spec?.replicas ?? 'no Deployment'}\`;
      }
      return undefined;
    },
  },
});
`;
}

export function simulationTestModule(): string {
  return `// A few seeds in each \`npm test\`; \`npm run sim\` runs as many as you like. What it finds, it prints as a test: paste
// that here.
import { simulationTest } from 'windlass/simulation';
import simulation from './simulation.ts';

const { name, options } = simulation;

simulationTest(\`\${name} with things that go wrong\`, { ...options, seeds: 5 });
`;
}
