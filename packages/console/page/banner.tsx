import { useConsole } from './context.ts';
import { useNow } from './parts/when.tsx';
import { coarse } from './state/format.ts';
import { useTopic } from './topic.ts';

/** Says when what the page shows is no longer true. */
export function Banner() {
  const { connection, onConnection, about } = useConsole();
  useTopic(onConnection);
  useNow();
  if (connection.state !== 'lost') return null;
  const since = Date.now() - connection.since;
  const wait = Math.max(0, Math.ceil((connection.retryAt - Date.now()) / 1000));
  return (
    <div class="banner" role="alert">
      <strong>{about === undefined ? 'There is no connection.' : 'The connection is lost.'}</strong>{' '}
      {connection.why !== undefined && `The server says: ${connection.why}. `}
      {about !== undefined && `What you see is ${coarse(since)} old. `}
      {connection.why === undefined && 'Is the process that serves this page still running? '}
      {wait > 0 ? `Trying again in ${wait} s.` : 'Trying again.'}
    </div>
  );
}
