import type { CallFault, Fault, Plan } from './fault.ts';

/** Spans are tried in this order: the first that still fails is kept. */
const SIMPLER_SPANS = [50, 500, 2000, 8000, 20_000, 60_000];

/**
 * The smallest plan that still fails: first without whatever is not needed, then with shorter spans and fewer repeats.
 * Pure but for what `fails` does.
 * @param fails whether a run with this plan fails in the same way
 * @param maxRuns how often it may ask
 */
export async function shrinkPlan(
  plan: Plan,
  fails: (candidate: Plan) => Promise<boolean>,
  maxRuns = 200,
): Promise<Plan> {
  let left = maxRuns;
  const ask = async (candidate: Plan): Promise<boolean> => left-- > 0 && (await fails(candidate));
  let best = plan;
  if (best.length > 0 && (await ask([]))) return [];
  best = await withoutSome(best, ask);
  for (let index = 0; index < best.length; index++)
    for (const simpler of simplerThan(best[index])) {
      const candidate = best.with(index, simpler);
      if (await ask(candidate)) {
        best = candidate;
        break;
      }
    }
  // What was shortened may make another one needless.
  return withoutSome(best, ask);
}

/**
 * Takes out halves, quarters and single faults, as long as it still fails. Who fails a write makes another one happen:
 * without it, those that come after have lower numbers.
 */
async function withoutSome(plan: Plan, fails: (candidate: Plan) => Promise<boolean>): Promise<Plan> {
  let best = plan;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < best.length && best.length > 1; ) {
      const left = [...best.slice(0, start), ...best.slice(start + size)];
      const renumbered = renumberedWithout(left, size === 1 ? best[start] : undefined);
      const found = await firstThat(fails, renumbered === undefined ? [left] : [left, renumbered]);
      if (found === undefined) start += size;
      else best = found;
    }
  return best;
}

async function firstThat(
  fails: (candidate: Plan) => Promise<boolean>,
  candidates: readonly Plan[],
): Promise<Plan | undefined> {
  for (const candidate of candidates) if (candidate.length > 0 && (await fails(candidate))) return candidate;
  return undefined;
}

/** The plan as it is when a request that failed no longer does; undefined when nothing of it changes. */
function renumberedWithout(plan: Plan, gone: Fault | undefined): Plan | undefined {
  if (gone?.kind === 'call') return callsRenumberedWithout(plan, gone);
  if (gone?.kind !== 'request') return undefined;
  const { process, times = 1 } = gone;
  const lowered = (number: number | undefined, from: number | undefined): number | undefined =>
    number !== undefined && from !== undefined && number > from ? Math.max(from, number - times) : undefined;
  const next = plan.map((fault) => {
    if (fault.kind !== 'request' || fault.process !== process) return fault;
    const write = lowered(fault.write, gone.write);
    if (write !== undefined) return { ...fault, write };
    const read = lowered(fault.read, gone.read);
    return read === undefined ? fault : { ...fault, read };
  });
  return next.some((fault, index) => fault !== plan[index]) ? next : undefined;
}

/** Who fails a call is often asked to make it again. */
function callsRenumberedWithout(
  plan: Plan,
  { process, call, number, times = 1 }: CallFault,
): Plan | undefined {
  const next = plan.map((fault) =>
    fault.kind === 'call' && fault.process === process && fault.call === call && fault.number > number
      ? { ...fault, number: Math.max(number, fault.number - times) }
      : fault,
  );
  return next.some((fault, index) => fault !== plan[index]) ? next : undefined;
}

function* simplerThan(fault: Fault | undefined): Generator<Fault> {
  if (fault === undefined) return;
  if ((fault.kind === 'request' || fault.kind === 'call') && (fault.times ?? 1) > 1) {
    const { times: _, ...once } = fault;
    yield once;
  }
  for (const span of SIMPLER_SPANS) {
    if ('forMs' in fault && fault.forMs !== undefined && fault.forMs > span) yield { ...fault, forMs: span };
    if ('downMs' in fault && fault.downMs > span) yield { ...fault, downMs: span };
  }
  if (fault.kind === 'server' && fault.compacts === true) {
    const { compacts: _, ...plain } = fault;
    yield plain;
  }
}
