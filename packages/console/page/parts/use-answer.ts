import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../ask.ts';

export type Answer<T> =
  | { readonly state: 'waiting' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: string };

const BETWEEN_MS = 500;

/**
 * What the server says to a question, asked again when `version` is another one. Meanwhile the former answer stays.
 * Versions that come fast are asked about once each half second.
 */
export function useAnswer<T>(path: string, version: unknown): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ state: 'waiting' });
  const [asked, setAsked] = useState(version);
  const newest = useRef(version);
  newest.current = version;
  const isDue = !Object.is(version, asked);
  useEffect(() => {
    if (!isDue) return;
    // One that is changed meanwhile does not begin the wait anew, or what changes all the time would never be asked for.
    const timer = window.setTimeout(() => setAsked(newest.current), BETWEEN_MS);
    return () => clearTimeout(timer);
  }, [isDue]);
  useEffect(() => {
    let isCurrent = true;
    ask<T>(path).then(
      (value) => isCurrent && setAnswer({ state: 'here', value }),
      (error: unknown) =>
        isCurrent &&
        setAnswer({ state: 'failed', error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, asked]);
  return answer;
}
