// A part of `npm run test:gallery`, in a process of its own: `check-part.ts bug NAME`, or `fixed NAME FROM COUNT`.
// It prints a JSON object a line: `{"seeds":N}` for seeds that passed, and `{"failure":TEXT}` at the end of a part that
// did not.
import { toError } from '@windlass/base';
import { describeFault } from '@windlass/simulation';
import { checkBug, checkFix } from './check-exhibit.ts';
import { EXHIBITS } from './gallery.ts';

/** So many seeds are told at once. */
const TOLD = 10;

const [variant, name, from = '1', count = '1'] = process.argv.slice(2);
const exhibit = EXHIBITS.find((one) => one.name === name);
const tell = (line: Readonly<Record<string, unknown>>): void => console.log(JSON.stringify(line));
if (exhibit === undefined) throw new Error(`"${name ?? ''}" is not in the gallery`);
try {
  if (variant === 'bug') {
    const { seed, plan } = await checkBug(exhibit);
    tell({ found: { seed, plan: plan.map(describeFault) } });
  } else {
    const seeds = Array.from({ length: Number(count) }, (_, index) => Number(from) + index);
    let untold = 0;
    const told = (): void => {
      if (untold > 0) tell({ seeds: untold });
      untold = 0;
    };
    await checkFix(exhibit, seeds, () => {
      if (++untold === TOLD) told();
    });
    told();
  }
} catch (error) {
  tell({ failure: toError(error).message });
  process.exitCode = 1;
}
