import { useState } from 'preact/hooks';
import type { PodItem } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { memo } from '../memo.ts';
import { coarse, counted } from '../state/format.ts';
import { objectLink } from '../state/route.ts';

/** More tiles than this are no picture, and cost time; the number of the rest is said. */
const MAX_TILES = 600;

/** A mark for each mood, since colour is not the only sign. */
const MARKS: Readonly<Record<PodItem['mood'], string>> = {
  well: '',
  waiting: '…',
  ending: '–',
  done: '✓',
  ill: '!',
};

interface Tip {
  readonly pod: PodItem;
  readonly left: number;
  readonly top: number;
}

/** A tile for each pod, which changes as the pod lives. Name and state show on hover and focus. */
export function PodTiles({ pods }: { pods: readonly PodItem[] }) {
  const [tip, setTip] = useState<Tip | undefined>(undefined);
  const show = (event: Event): void => {
    const tile = event.target instanceof Element ? event.target.closest('[data-pod]') : null;
    const pod = tile === null ? undefined : pods.find(({ key }) => key === tile.getAttribute('data-pod'));
    if (tile === null || pod === undefined) return setTip(undefined);
    const { left, bottom } = tile.getBoundingClientRect();
    setTip({ pod, left: Math.max(8, Math.min(left, window.innerWidth - 260)), top: bottom + 6 });
  };
  const hide = (): void => setTip(undefined);
  return (
    <div class="tiles" onMouseOver={show} onFocusIn={show} onMouseLeave={hide} onFocusOut={hide}>
      {pods.slice(0, MAX_TILES).map((pod) => (
        <Tile key={pod.uid} pod={pod} />
      ))}
      {pods.length > MAX_TILES && <span class="note">and {pods.length - MAX_TILES} more</span>}
      {tip !== undefined && <TileTip {...tip} />}
    </div>
  );
}

const Tile = memo(({ pod }: { pod: PodItem }) => (
  <a
    class={`tile ${pod.mood}`}
    href={objectLink('pods', pod.key)}
    data-item
    data-pod={pod.key}
    tabIndex={-1}
    aria-label={`${pod.key}: ${pod.state}`}
  >
    {MARKS[pod.mood]}
  </a>
));

function TileTip({ pod, left, top }: Tip) {
  const state = useConsole();
  return (
    <div class="tip" style={{ left: `${left}px`, top: `${top}px` }}>
      <b>{pod.key}</b>
      <span>
        {pod.state}
        {pod.restarts > 0 && `, ${counted(pod.restarts, 'restart')}`}
      </span>
      <span class="faint">
        {pod.node === undefined ? 'no node' : `on ${pod.node}`},{' '}
        {coarse(Math.max(0, state.now() - pod.createdAt))} old
      </span>
    </div>
  );
}
