import { simulationTest } from '@windlass/simulation';
import simulation from './website.simulation.ts';

const { name, options } = simulation;

simulationTest(`${name} with things that go wrong`, { ...options, seeds: 4 });
