import type { Figures } from './bench.ts';
import { figuresOf } from './child.ts';

const PROCESSES = 5;

/** Milliseconds to import a module, as found from `folder`: the best of some new processes. */
export async function importTime(specifier: string, folder: string): Promise<Figures> {
  const program = `
    const now = () => process.env.BENCH_CPU === undefined
      ? performance.now()
      : (process.cpuUsage().user + process.cpuUsage().system) / 1000;
    const started = now();
    await import(${JSON.stringify(specifier)});
    console.log(JSON.stringify({ import: now() - started }));
    process.exit(0);`;
  const times: number[] = [];
  for (let attempt = 0; attempt < PROCESSES; attempt++) {
    const args = ['--input-type=module', '--eval', program];
    times.push((await figuresOf(process.execPath, args, { cwd: folder }))['import'] ?? Number.NaN);
  }
  return { import: Math.min(...times) };
}
