// A test file as users write it, which simulation-test.test.ts runs with `node --test`.
import { simulationTest } from '../simulation-test.ts';
import { copies } from './copies.ts';

const lost = { kind: 'request', process: 'copier', write: 2, answer: 'lost' } as const;

simulationTest('careful', { ...copies({ name: 'copy' }), seeds: [6], plan: [lost] });
simulationTest('careless', {
  ...copies({ generateName: 'copy-' }),
  seeds: [6],
  plan: [lost, { kind: 'clock', process: 'copier', when: 0, byMs: 500 }],
});
