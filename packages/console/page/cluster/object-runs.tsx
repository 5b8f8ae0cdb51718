import type { RunDetail } from '../../src/protocol.ts';
import { Result } from '../loop/result.tsx';
import { ClockTime } from '../parts/when.tsx';
import { count } from '../state/format.ts';
import { keyLink } from '../state/route.ts';

const SHOWN = 12;

/** The runs that were for an object, that it caused, or that wrote it. */
export function ObjectRuns({ runs }: { runs: readonly RunDetail[] }) {
  if (runs.length === 0) return null;
  return (
    <section class="object-runs" aria-label="Runs">
      <h2>Runs{runs.length > SHOWN && ` (the newest ${SHOWN} of ${count(runs.length)})`}</h2>
      <ol>
        {runs.slice(0, SHOWN).map((run) => (
          <li key={run.id}>
            <p>
              <ClockTime at={run.at} />{' '}
              <a href={keyLink(run.controller, run.key)} data-item>
                {run.controller} {run.key}
              </a>
              <Result run={run} />
            </p>
            <p class="faint">{run.reason}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
