import { useConsole } from '../context.ts';
import { ago } from '../state/format.ts';
import { Topic, useTopic } from '../topic.ts';

const seconds = new Topic();
window.setInterval(() => seconds.changed(), 1000);

/** Renders the component again each second. */
export function useNow(): void {
  useTopic(seconds);
}

const ABSOLUTE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** How long ago, and exactly when on hover. */
export function When({ at }: { at: number }) {
  const state = useConsole();
  useNow();
  return <time {...exactly(at)}>{ago(state.now() - at)}</time>;
}

/** The time of day to the millisecond, the date on hover. */
export function ClockTime({ at }: { at: number }) {
  return <time {...exactly(at)}>{CLOCK.format(at)}</time>;
}

function exactly(at: number): { dateTime: string; title: string } {
  return { dateTime: new Date(at).toISOString(), title: ABSOLUTE.format(at) };
}
