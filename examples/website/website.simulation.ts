// Two replicas of the operator, of which one leads, while Websites are made, changed and hidden:
// `npm run sim -- examples/website/website.simulation.ts`.
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { defineSimulation } from '@windlass/simulation';
import { definitions, register, webhooks } from './operator.ts';
import { Website } from './website.ts';

export const website = defineSimulation('website', {
  definitions,
  webhooks,
  processes: { operator: { setUp: register, replicas: 2, leaderElection: true } },
  workload: async ({ client, pass, until }) => {
    const sites = client.resource(Website).namespace('default');
    const services = client.resource(Service).namespace('default');
    await sites.create({
      metadata: { name: 'hello' },
      spec: { text: 'Hello!', replicas: 2, isPublic: true },
    });
    await until('it has an address', async () =>
      (await services.list()).items.some(({ metadata }) => metadata?.name === 'hello'),
    );
    await sites.patch('hello', { spec: { text: 'Good day!', replicas: 3 } });
    await pass(2000);
    // What is public may not be deleted, and everything is at the end.
    await sites.patch('hello', { spec: { isPublic: false } });
    await pass(5000);
  },
  invariants: {
    'servers are as many as the Website says': async (state) => {
      for (const { metadata, spec } of await state.list(Website)) {
        const servers = await state.find(Deployment, metadata.name, metadata.namespace);
        if (servers?.spec?.replicas !== spec.replicas)
          return `${metadata.name} wants ${spec.replicas} servers, and has ${servers?.spec?.replicas ?? 'no Deployment'}`;
      }
      return undefined;
    },
    'an address is there only for what is public': async (state) => {
      for (const { metadata, spec } of await state.list(Website)) {
        const address = await state.find(Service, metadata.name, metadata.namespace);
        if ((address !== undefined) !== spec.isPublic)
          return `${metadata.name} is ${spec.isPublic ? 'public and has no' : 'not public and has an'} address`;
      }
      return undefined;
    },
  },
});
