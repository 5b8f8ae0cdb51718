import type { ControllerView } from './loop-model.ts';

export type ControllerOrder = 'name' | 'busiest' | 'errors' | 'slowest' | 'queue';

export const CONTROLLER_ORDERS: readonly ControllerOrder[] = [
  'name',
  'busiest',
  'errors',
  'slowest',
  'queue',
];

/** The highest figure first; the name decides between equals, so that nothing jumps without a reason. */
export function sortControllers(views: readonly ControllerView[], order: ControllerOrder): ControllerView[] {
  const figures = new Map(views.map((view) => [view, figureOf(view, order)]));
  return [...views].sort(
    (a, b) => (figures.get(b) ?? 0) - (figures.get(a) ?? 0) || (a.name < b.name ? -1 : 1),
  );
}

function figureOf(view: ControllerView, order: ControllerOrder): number {
  switch (order) {
    case 'name':
      return 0;
    case 'busiest':
      return meanOf(view.runs.values());
    case 'errors':
      return meanOf(view.errors.values()) + view.state.retrying;
    case 'slowest':
      return view.state.runMs?.p99 ?? 0;
    case 'queue':
      return view.state.waiting + view.state.retrying;
  }
}

/** Over all of the plot: a figure that calm is fit to sort by. */
function meanOf(values: Float64Array): number {
  let total = 0;
  let known = 0;
  for (const value of values)
    if (!Number.isNaN(value)) {
      total += value;
      known++;
    }
  return known === 0 ? 0 : total / known;
}
