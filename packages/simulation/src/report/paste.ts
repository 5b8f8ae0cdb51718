import { describeFault } from '../plan/describe-fault.ts';
import type { Outcome } from '../run/outcome.ts';

/** A test for this run alone, to be put beside the program's simulation. */
export function testToPaste(name: string, { seed, plan, failure }: Outcome): string {
  const faults = plan.map((fault) => `    // ${describeFault(fault)}\n    ${source(fault)},\n`).join('');
  const title = `${name}: ${failure?.name ?? failure?.oracle ?? 'run'} with seed ${seed}`;
  return `simulationTest(${quoted(title)}, {
  ...options,
  seeds: [${seed}],
  plan: [${plan.length === 0 ? '' : `\n${faults}  `}],
});
`;
}

function source(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${source(field)}`);
  return `{ ${fields.join(', ')} }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
