// npm run test:sim-exec -- tests/sim-exec/sample-controller.ts --exec 'node examples/sample-controller/main.ts'
import { defineSimulation } from '@windlass/simulation';
import { Foo, fooDefinition } from '../../examples/sample-controller/foo.ts';

/** What the sample controller must do, whatever language it is written in. */
export default defineSimulation('sample-controller', {
  definitions: [fooDefinition],
  workload: async ({ client, pass }) => {
    const foos = client.resource(Foo).namespace('default');
    await foos.create({ metadata: { name: 'a' }, spec: { deploymentName: 'a', replicas: 2 } });
    await pass(1000);
    await foos.patch('a', { spec: { replicas: 3 } });
    await pass(1000);
  },
});
