// What a sample-controller must do, whatever language it is written in: k8s.io/sample-controller and the one in examples.
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { defineSimulation } from '@windlass/simulation';
import { Foo, fooDefinition } from '../../examples/sample-controller/foo.ts';

export default defineSimulation('sample-controller', {
  definitions: [fooDefinition],
  workload: async ({ client, pass }) => {
    const foos = client.resource(Foo).namespace('default');
    const foo = (replicas: number): Foo => ({
      metadata: { name: 'a' },
      spec: { deploymentName: 'a', replicas },
    });
    await foos.create(foo(2));
    await pass(1000);
    await foos.patch('a', { spec: { replicas: 3 } });
    await pass(500);
    // Deleted and made again between two looks.
    await foos.delete('a', { propagationPolicy: 'Background' });
    await foos.create(foo(1));
    await pass(2000);
  },
  invariants: {
    'the deployment is of the Foo that is there': async (state) => {
      const foo = await state.find(Foo, 'a');
      const deployment = await state.find(Deployment, 'a');
      const owner = deployment?.metadata?.ownerReferences?.[0]?.uid;
      const uid = foo?.metadata?.uid;
      if (owner !== uid) return `it is of ${owner}, and the Foo is ${uid}`;
      const { replicas } = deployment?.spec ?? {};
      return replicas === 1 ? undefined : `it has ${replicas} replicas, and the Foo says 1`;
    },
  },
});
