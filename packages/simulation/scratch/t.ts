import { registerFooController } from '../../../examples/sample-controller/controller.ts';
import { Foo, fooDefinition } from '../../../examples/sample-controller/foo.ts';
import { run } from '../src/index.ts';
import type { SimulationOptions } from '../src/index.ts';

export const program: SimulationOptions = {
  definitions: [fooDefinition],
  nodes: Number(process.env['NODES'] ?? 0),
  processes: { operator: { replicas: Number(process.env['REPLICAS'] ?? 1), leaderElection: true, setUp: (m) => void registerFooController(m) } },
  workload: async (user) => {
    const foos = user.client.resource(Foo).namespace('default');
    await foos.create({ metadata: { name: 'a' }, spec: { deploymentName: 'a', replicas: 2 } });
    await user.pass(2000);
    await foos.patch('a', { spec: { replicas: 3 } });
    await user.pass(5000);
  },
};
for (const seed of [1, 1, 2]) {
  const t = performance.now();
  const o = await run(program, { seed, plan: [], traced: seed === 2 });
  const { trace, endState, ...rest } = o;
  console.log(Math.round(performance.now() - t), 'ms', JSON.stringify(rest));
  if (process.env['SHOW']) for (const e of trace) console.log(e.atMs.toFixed(1), e.type, e.process, e.text.slice(0,150), e.request ? e.request.method + ' ' + e.request.path : '', e.entry?.key ?? '');
  if (seed === 2) console.log(endState);
}
