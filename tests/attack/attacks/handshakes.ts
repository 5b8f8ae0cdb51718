import type { Attack } from '../attack.ts';
import { dialPlain } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

/** The beginning of a ClientHello that says it has 512 bytes. */
const HALF_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);
const COUNT = 500;
/** So many may stay open before they are complete; the server hangs up on the rest. */
const MAX_UNFINISHED = 256;

/** Connections that never finish their TLS handshake. */
export const handshakes: Attack = {
  name: 'handshakes',
  summary: 'leaves 500 TLS handshakes unfinished: nothing said, half a hello, or no TLS at all',
  async start(stage, signal) {
    let open = 0;
    await swarm(COUNT, 50, signal, async (index) => {
      const socket = await dialPlain(stage.place, signal);
      stage.tally.send();
      if (socket === undefined) return stage.tally.answer(0);
      open++;
      socket.on('close', () => open--);
      socket.resume();
      if (index % 3 === 1) socket.write(HALF_HELLO);
      if (index % 3 === 2) socket.write('\u0016\u0003');
    });
    // Not until the signal: it closes them.
    await hold(1500, signal);
    const left = open;
    await hold(stage.holdMs, signal);
    return left > MAX_UNFINISHED
      ? [`${left} of ${COUNT} unfinished handshakes stayed open; at most ${MAX_UNFINISHED} should`]
      : [];
  },
};
