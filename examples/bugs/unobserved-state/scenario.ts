import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { ProcessOptions, SimulationOptions } from '@windlass/simulation';
import { Claim, claimDefinition } from '../kinds.ts';

/** A claim is deleted and made again, by somebody else, who must not see what was on the disk. */
export const scenario = (setUp: ProcessOptions['setUp']): SimulationOptions => ({
  definitions: [claimDefinition],
  processes: { provisioner: setUp },
  workload: async ({ client, pass }) => {
    const claims = client.resource(Claim).namespace('default');
    await claims.create({ metadata: { name: 'a' }, spec: { size: '1Gi' } });
    await pass(2000);
    await claims.delete('a');
    await pass(1000);
    await claims.create({ metadata: { name: 'a' }, spec: { size: '1Gi' } });
    await pass(3000);
  },
  invariants: {
    'a claim gets an empty disk': async (state) => {
      const claim = await state.find(Claim, 'a');
      const disk = await state.find(ConfigMap, 'disk-a');
      const isOwn = disk?.data?.['madeFor'] === claim?.metadata?.uid;
      return isOwn ? undefined : 'the new claim has the disk of the old one, with what is on it';
    },
  },
});
