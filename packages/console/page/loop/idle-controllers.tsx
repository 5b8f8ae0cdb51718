import { count, duration, rate } from '../state/format.ts';
import type { ControllerView } from '../state/loop-model.ts';

/** Those that have little to say: a row each. */
export function IdleControllers({ views }: { views: readonly ControllerView[] }) {
  return (
    <section class="rows" aria-label="Other controllers">
      <table class="figures controllers">
        <thead>
          <tr>
            <th>controller</th>
            <th>runs/s</th>
            <th>waiting</th>
            <th>delayed</th>
            <th class="wide">retrying</th>
            <th>workers</th>
            <th class="wide">p99</th>
            <th class="wide">watch</th>
            <th>runs</th>
            <th>errors</th>
          </tr>
        </thead>
        <tbody>
          {views.map(({ name, state, runs }) => (
            <tr key={name} data-controller={name}>
              <th scope="row">{name}</th>
              <td>{faint(rate(runs.last))}</td>
              <td>{faint(count(state.waiting))}</td>
              <td>{faint(count(state.delayed))}</td>
              <td class="wide">{faint(count(state.retrying))}</td>
              <td>
                {state.working}/{state.workers}
              </td>
              <td class="wide">{faint(state.runMs === undefined ? '–' : duration(state.runMs.p99))}</td>
              <td class="wide">{faint(state.watchLagMs === undefined ? '–' : duration(state.watchLagMs))}</td>
              <td data-figure="runs">{faint(count(state.runs))}</td>
              <td class={state.errors > 0 ? 'bad' : ''}>{faint(count(state.errors))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What is nothing recedes, so that the eye finds what is not. */
function faint(text: string) {
  return text === '0' || text === '–' ? <span class="faint">{text}</span> : text;
}
