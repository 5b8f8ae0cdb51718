import { ceilingOf, linePath } from '../state/plot-path.ts';
import type { Series } from '../state/series.ts';

const WIDTH = 240;
const HEIGHT = 32;

interface Props {
  readonly label: string;
  /** The figure of now, as people read it. */
  readonly value: string;
  readonly series: Series;
  /** A second line that is drawn behind the first. */
  readonly behind?: Series;
  /** The plot is at least this high, so that nothing at all looks like nothing. */
  readonly least: number;
  /** How the top of the plot reads. */
  readonly format: (figure: number) => string;
  readonly tone?: 'bad' | undefined;
}

/** Two minutes of one figure. */
export function Plot({ label, value, series, behind, least, format, tone }: Props) {
  const max = ceilingOf(Math.max(series.max(), behind?.max() ?? 0), least);
  const path = linePath(series.values(), max, WIDTH, HEIGHT);
  return (
    <figure class={`plot ${tone ?? ''}`}>
      <figcaption>
        {label} <b>{value}</b>
      </figcaption>
      <div class="frame">
        <span class="scale" aria-hidden="true">
          {format(max)}
        </span>
        <svg
          viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}: ${value}`}
        >
          <path class="base" d={`M0 ${HEIGHT}H${WIDTH}`} />
          {behind !== undefined && <path class="behind" d={linePath(behind.values(), max, WIDTH, HEIGHT)} />}
          <path class="line" d={path} />
        </svg>
      </div>
    </figure>
  );
}
