import { simulationTest } from '@windlass/simulation';
import { website } from './website.simulation.ts';

const { name, options } = website;

simulationTest(`${name} with things that go wrong`, { ...options, seeds: 4 });
