import { useEffect, useReducer } from 'preact/hooks';

type Listener = () => void;

/**
 * Something that changes often. Whoever listens is told at most once a frame, however often it changed, and not at
 * all while the page is hidden.
 */
export class Topic {
  readonly #listeners = new Set<Listener>();

  changed(): void {
    if (waiting.size === 0) requestAnimationFrame(tellAll);
    waiting.add(this);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const waiting = new Set<Topic>();

function tellAll(): void {
  const topics = [...waiting];
  waiting.clear();
  for (const topic of topics) topic.tell();
}

/** Renders the component again when the topic changes, but not more often than each `everyMs`. */
export function useTopic(topic: Topic, everyMs = 0): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let last = 0;
    let timer: number | undefined;
    const show = (): void => {
      timer = undefined;
      last = performance.now();
      render(undefined);
    };
    const unsubscribe = topic.subscribe(() => {
      if (timer !== undefined) return;
      const wait = last + everyMs - performance.now();
      if (wait <= 0) show();
      else timer = window.setTimeout(show, wait);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [topic, everyMs]);
}
