import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROGRAM = new URL('./replay-server.ts', import.meta.url).pathname;

/** The server that replays recorded bytes, in a process of its own: it must not share one with a client. */
export interface Replay extends AsyncDisposable {
  readonly server: string;
}

export async function startReplay(objects: number, events: number): Promise<Replay> {
  const child = spawn(process.execPath, [PROGRAM, String(objects), String(events)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const port of createInterface({ input: child.stdout })) {
    return {
      server: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        child.stdin.end();
        await ended;
      },
    };
  }
  throw new Error('the replay server ended before it listened');
}
