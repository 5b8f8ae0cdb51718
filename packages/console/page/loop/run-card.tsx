import type { RunDetail, WriteDetail } from '../../src/protocol.ts';
import { Diff } from '../parts/diff.tsx';
import { ClockTime, When } from '../parts/when.tsx';
import { counted, duration } from '../state/format.ts';
import { namedObject, withoutSubresource } from '../state/reads.ts';
import { objectLink } from '../state/route.ts';
import { Result } from './result.tsx';

/** One run: why it was, what it read, what it wrote, and how it ended. */
export function RunCard({ run, isOpen }: { run: RunDetail; isOpen: boolean }) {
  return (
    <li>
      <details open={isOpen}>
        <summary data-item>
          <span class="when">
            <ClockTime at={run.at} />
          </span>
          <span class="why">{run.reason}</span>
          {run.wokeItself && <span class="tag">woke itself</span>}
          <span class="note">
            {counted(run.writeCount, 'write')}, {duration(run.tookMs)}
          </span>
          <Result run={run} />
        </summary>
        <div class="run-body">
          {run.error !== undefined && <pre class="error">{run.error}</pre>}
          <dl class="facts">
            <dt>Began</dt>
            <dd>
              <When at={run.at} />
              {run.waitedMs !== undefined && `, after ${duration(run.waitedMs)} in the queue`}
            </dd>
            {run.againInMs !== undefined && (
              <>
                <dt>Again</dt>
                <dd>
                  {duration(run.againInMs)} after its end: <When at={run.at + run.tookMs + run.againInMs} />
                </dd>
              </>
            )}
            <dt>Why</dt>
            <dd>
              <Lines lines={run.reasons} />
              {run.reasonCount > run.reasons.length && (
                <p class="faint">and {run.reasonCount - run.reasons.length} more</p>
              )}
            </dd>
            <dt>Read</dt>
            <dd>
              {run.reads.length === 0 ? (
                <span class="faint">not recorded, or nothing</span>
              ) : (
                <Lines lines={run.reads} />
              )}
            </dd>
            <dt>Wrote</dt>
            <dd>
              {run.writes.length === 0 ? (
                <span class="faint">
                  {run.error === undefined ? 'nothing: what is there is what should be' : 'nothing'}
                </span>
              ) : (
                run.writes.map((write, at) => <Write key={at} write={write} />)
              )}
            </dd>
          </dl>
        </div>
      </details>
    </li>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="lines">
      {lines.map((line, at) => {
        const named = namedObject(line);
        return (
          <li key={at}>
            {named === undefined ? line : <a href={objectLink(named.resource, named.key)}>{line}</a>}
          </li>
        );
      })}
    </ul>
  );
}

function Write({ write }: { write: WriteDetail }) {
  const { verb, resource, key, tookMs, status, error, diff, isForgotten = false } = write;
  return (
    <div class="write">
      <p>
        <b>{verb}</b> <a href={objectLink(withoutSubresource(resource), key)}>{`${resource} ${key}`}</a>{' '}
        <span class={error === undefined ? 'note' : 'bad'}>
          {status}
          {error !== undefined && ` ${error}`}, {duration(tookMs)}
        </span>
      </p>
      {diff.length > 0 && <Diff lines={diff} />}
      {diff.length === 0 && error === undefined && verb !== 'delete' && (
        <p class="faint">
          {isForgotten ? 'what differed is no longer kept' : 'nothing differs from what was there'}
        </p>
      )}
    </div>
  );
}
