import type { RunSummary } from '../../src/protocol.ts';
import { duration } from '../state/format.ts';

/** How a run ended, in a word; the error on hover. */
export function Result({ run }: { run: RunSummary }) {
  const again = run.againInMs === undefined ? '' : ` in ${duration(run.againInMs)}`;
  switch (run.result) {
    case 'success':
      return <span class="result-ok">done</span>;
    case 'error':
      return (
        <span class="bad" title={run.error}>
          ✕ error{again === '' ? '' : `, again${again}`}
        </span>
      );
    case 'requeue':
      return <span>again{again}</span>;
    case 'requeue_after':
      return <span>again{again}</span>;
  }
}
