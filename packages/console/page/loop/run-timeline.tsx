import type { RunDetail } from '../../src/protocol.ts';
import { coarse, duration } from '../state/format.ts';

const WIDTH = 1000;
const HEIGHT = 44;
const MIN_BAR = 3;

/** The runs as bars on one line of time: how long each waited, and how long it took. */
export function RunTimeline({ runs }: { runs: readonly RunDetail[] }) {
  const begin = Math.min(...runs.map((run) => run.at - (run.waitedMs ?? 0)));
  const end = Math.max(...runs.map((run) => run.at + run.tookMs));
  const span = Math.max(1, end - begin);
  const x = (at: number): number => ((at - begin) / span) * WIDTH;
  const wide = (ms: number): number => Math.max(MIN_BAR, (ms / span) * WIDTH);
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Runs over time"
      >
        <path class="base" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
        {runs.map((run) => (
          <g key={run.id} class={run.error === undefined ? 'ok' : 'failed'}>
            <title>{describe(run)}</title>
            {run.waitedMs !== undefined && (
              <rect
                class="waited"
                x={x(run.at - run.waitedMs)}
                y="26"
                width={wide(run.waitedMs)}
                height="6"
              />
            )}
            {/* A failed run is taller too: the colour is not the only sign. */}
            <rect
              class="took"
              x={x(run.at)}
              y={run.error === undefined ? 14 : 4}
              width={wide(run.tookMs)}
              height={run.error === undefined ? 28 : 38}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{coarse(span)} from the first to the last</span>
        <span class="legend">
          <i class="waited" /> waited <i class="took" /> ran <i class="failed" /> failed
        </span>
      </figcaption>
    </figure>
  );
}

function describe({ id, waitedMs, tookMs, error }: RunDetail): string {
  const waited = waitedMs === undefined ? '' : ` waited ${duration(waitedMs)},`;
  return `run ${id}:${waited} took ${duration(tookMs)}${error === undefined ? '' : `, failed: ${error}`}`;
}
