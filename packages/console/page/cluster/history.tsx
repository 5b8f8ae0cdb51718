import type { RevisionDetail } from '../../src/protocol.ts';
import { Diff } from '../parts/diff.tsx';
import { When } from '../parts/when.tsx';

interface Props {
  /** At least one. */
  readonly history: readonly RevisionDetail[];
  readonly place: number;
  readonly choose: (place: number) => void;
}

/** A slider through the revisions, and what the chosen one changed. */
export function History({ history, place, choose }: Props) {
  const revision = history[place];
  if (revision === undefined) return null;
  const last = history.length - 1;
  return (
    <section class="history" aria-label="History">
      <div class="bar">
        <button
          type="button"
          onClick={() => choose(place - 1)}
          disabled={place === 0}
          aria-label="Older revision"
        >
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={place}
          disabled={last === 0}
          aria-label="Revision"
          aria-valuetext={`revision ${place + 1} of ${last + 1}`}
          onInput={(event) => choose(Number(event.currentTarget.value))}
        />
        <button
          type="button"
          onClick={() => choose(place + 1)}
          disabled={place === last}
          aria-label="Newer revision"
        >
          ›
        </button>
        <span class="note">
          revision <b data-figure="revision">{place + 1}</b> of {last + 1}
        </span>
      </div>
      <p class="revision">
        {revision.deleted ? <b class="bad">deleted</b> : <span>version {revision.resourceVersion}</span>}
        {revision.by !== undefined && (
          <>
            {' '}
            by <b>{revision.by}</b>
          </>
        )}
        {revision.at !== undefined && (
          <>
            , <When at={revision.at} />
          </>
        )}
      </p>
      {revision.deleted ? null : revision.diff.length > 0 ? (
        <Diff lines={revision.diff} />
      ) : (
        <p class="faint">
          {place === 0
            ? 'The first revision that is kept: there is none before to compare with.'
            : 'No field differs.'}
        </p>
      )}
    </section>
  );
}
