// The sample controller, with two replicas of which one leads: a Foo is made, changed and deleted meanwhile.
import { defineSimulation } from '@windlass/simulation';
import { registerFooController } from '../../examples/sample-controller/controller.ts';
import { Foo, fooDefinition } from '../../examples/sample-controller/foo.ts';

export const sampleController = defineSimulation('sample-controller', {
  definitions: [fooDefinition],
  processes: {
    operator: { replicas: 2, leaderElection: true, setUp: (manager) => void registerFooController(manager) },
  },
  workload: async ({ client, pass }) => {
    const foos = client.resource(Foo).namespace('default');
    await foos.create({ metadata: { name: 'a' }, spec: { deploymentName: 'a', replicas: 2 } });
    await pass(2000);
    await foos.patch('a', { spec: { replicas: 3 } });
    await pass(5000);
  },
});
