import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toError } from '@windlass/base';
import type { Simulation } from '@windlass/simulation';
import { UsageError } from '../command-line/exit.ts';

/**
 * Every simulation that the files export, by name, in the order of the files: the default export first, the others in
 * the order of their names.
 * @throws UsageError with what is wrong with a file
 */
export async function loadSimulations(
  files: readonly string[],
  { isExec = false }: { readonly isExec?: boolean } = {},
): Promise<Map<string, Simulation>> {
  const found = new Map<string, Simulation>();
  for (const file of files)
    for (const simulation of await simulationsOf(file)) {
      if (!isExec && simulation.options.processes === undefined)
        throw new UsageError(
          `the simulation "${simulation.name}" of ${shown(file)} has no processes; give it some, or a command with --exec`,
        );
      if (isExec && Object.keys(simulation.options.processes ?? {}).length > 0)
        throw new UsageError(
          `the simulation "${simulation.name}" of ${shown(file)} has processes of its own; leave them out, or --exec`,
        );
      if (found.has(simulation.name))
        throw new UsageError(
          `${shown(file)} has a simulation "${simulation.name}", and there is another one of that name; give each its own`,
        );
      found.set(simulation.name, simulation);
    }
  return found;
}

async function simulationsOf(file: string): Promise<Simulation[]> {
  if (!existsSync(file))
    throw new UsageError(`${shown(file)} is not there; name a file that exports a simulation`);
  let exported: Record<string, unknown>;
  try {
    // The namespace of any module is a record of what it exports.
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`${shown(file)} could not be imported: ${toError(error).message}`);
  }
  const { default: main, ...others } = exported;
  const all = [main, ...Object.values(others)].filter(isSimulation);
  if (all.length === 0)
    throw new UsageError(
      `${shown(file)} exports no simulation; write: export default defineSimulation('NAME', { processes, workload })`,
    );
  return [...new Set(all)];
}

/** The module may have another copy of the package, so that only its form can be looked at. */
function isSimulation(value: unknown): value is Simulation {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false;
  const { options } = value;
  return (
    isRecord(options) && typeof options['workload'] === 'function' && isRecord(options['processes'] ?? {})
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(file: string): string {
  const short = relative('.', file);
  return short.startsWith('..') ? file : short;
}
