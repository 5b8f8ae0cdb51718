import type { RunDetail } from '../../src/protocol.ts';
import { coarse, duration } from '../state/format.ts';
import { layOutRuns } from '../state/run-layout.ts';

const WIDTH = 1000;
const HEIGHT = 44;
const MIN_BAR = 2.5;

/** The runs as bars on one line of time: how long each waited, and how long it took. */
export function RunTimeline({ runs }: { runs: readonly RunDetail[] }) {
  const { places, breaks, spanMs } = layOutRuns(runs);
  const byId = new Map(runs.map((run) => [run.id, run]));
  const wide = (share: number): number => Math.max(MIN_BAR, share * WIDTH);
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Runs over time"
      >
        <path class="base" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
        {breaks.map(({ place, ms }) => (
          <path key={place} class="break" d={`M${place * WIDTH} 0V${HEIGHT}`}>
            <title>{`quiet for ${duration(ms)}`}</title>
          </path>
        ))}
        {places.map(({ id, queued, began, ended }) => {
          const run = byId.get(id);
          if (run === undefined) return null;
          const hasFailed = run.error !== undefined;
          return (
            <g key={id} class={hasFailed ? 'failed' : 'ok'}>
              <title>{describe(run)}</title>
              {began > queued && (
                <rect class="waited" x={queued * WIDTH} y="36" width={wide(began - queued)} height="5" />
              )}
              {/* A failed run is taller too: the colour is not the only sign. */}
              <rect
                class="took"
                x={began * WIDTH}
                y={hasFailed ? 2 : 12}
                width={wide(ended - began)}
                height={hasFailed ? 31 : 21}
              />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>
          {spanMs < 1000 ? duration(spanMs) : coarse(spanMs)} from the first to the last
          {breaks.length > 0 && '; a dashed line is a quiet time that is cut short'}
        </span>
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
