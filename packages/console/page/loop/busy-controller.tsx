import { Plot } from '../parts/plot.tsx';
import { count, counted, duration, rate } from '../state/format.ts';
import type { ControllerView } from '../state/loop-model.ts';
import { keyLink } from '../state/route.ts';
import { Flow } from './flow.tsx';

/** Of many hot keys, the first tell enough. */
const MAX_HOT = 3;

/** One controller as a picture of its loop, with its last two minutes. */
export function BusyController({ view }: { view: ControllerView }) {
  const { state } = view;
  const { p50, p99 } = state.runMs ?? { p50: undefined, p99: undefined };
  return (
    <article class={`controller ${state.hot.length > 0 ? 'is-hot' : ''}`} data-controller={view.name}>
      <header>
        <h2>{view.name}</h2>
        <span class="note">
          <span data-figure="runs">{count(state.runs)}</span> runs,{' '}
          <span class={state.errors > 0 ? 'bad' : ''}>{counted(state.errors, 'error')}</span>
        </span>
      </header>
      <Flow view={view} />
      <div class="plots">
        <Plot label="runs/s" value={rate(view.runs.last)} series={view.runs} least={1} format={count} />
        <Plot
          label="errors/s"
          value={rate(view.errors.last)}
          series={view.errors}
          least={1}
          format={count}
          tone={view.errors.last > 0 ? 'bad' : undefined}
        />
        <Plot
          label="p50 · p99"
          value={p50 === undefined || p99 === undefined ? '–' : `${duration(p50)} · ${duration(p99)}`}
          series={view.p50}
          behind={view.p99}
          least={1}
          format={duration}
        />
      </div>
      {state.hot.length > 0 && <HotKeys controller={view.name} keys={state.hot} />}
    </article>
  );
}

function HotKeys({ controller, keys }: { controller: string; keys: readonly string[] }) {
  const shown = keys.slice(0, MAX_HOT);
  return (
    <div class="hot" role="note">
      <strong>Hot</strong>{' '}
      {shown.map((key, at) => (
        <span key={key}>
          {at > 0 && ', '}
          <a href={keyLink(controller, key)} data-item>
            {key}
          </a>
        </span>
      ))}
      {keys.length > MAX_HOT && ` and ${keys.length - MAX_HOT} more`}{' '}
      {keys.length === 1 ? 'wakes itself' : 'wake themselves'}: every run writes what wakes it. Write only
      when something differs.
    </div>
  );
}
