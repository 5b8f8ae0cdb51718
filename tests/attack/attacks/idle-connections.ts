import type { Attack } from '../attack.ts';
import { preface } from '../frames.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

/** Handshakes cost the server time, so that even these few at once are many. */
const AT_ONCE = 16;

/** Connections that are complete and then silent. */
export const idleConnections: Attack = {
  name: 'idle-connections',
  summary: 'opens 500 to 2,000 TLS connections and says nothing on them, or only that it speaks HTTP/2',
  async start(stage, signal) {
    await swarm(stage.size(500, 2000), AT_ONCE, signal, async (index) => {
      const socket = await dialTls(stage.place, index % 2 === 0 ? 'h2' : 'http/1.1', signal);
      stage.tally.send();
      if (socket === undefined) return stage.tally.answer(0);
      socket.resume();
      if (index % 4 === 0) socket.write(preface());
    });
    await hold(stage.holdMs, signal);
    return [];
  },
};
