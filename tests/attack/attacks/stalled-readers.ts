import type { Attack } from '../attack.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, headerBlock, preface, requestFields } from '../frames.ts';
import { ATTACK_NAMESPACE, BIG_NAMESPACE } from '../people.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const LIST = `/api/v1/namespaces/${BIG_NAMESPACE}/configmaps`;
const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const STREAMS = 5;
const VALUE = 'v'.repeat(100_000);

/** Readers that ask for much and take nothing: what the server keeps for them must be bounded. */
export const stalledReaders: Attack = {
  name: 'stalled-readers',
  summary: 'asks for long lists with a window of 0, and stops reading watches while megabytes are written',
  async start(stage, signal) {
    const { writer } = stage.people;
    const bearer = `Authorization: Bearer ${writer.token}\r\n`;
    await swarm(stage.size(20, 60), 4, signal, async (index) => {
      const isHttp2 = index % 2 === 0;
      const socket = await dialTls(stage.place, isHttp2 ? 'h2' : 'http/1.1', signal);
      if (socket === undefined) return stage.tally.answer(0);
      if (isHttp2) {
        // The socket is read, so that the connection lives; the window stays closed.
        socket.resume();
        socket.write(preface(0));
        for (let at = 0; at < STREAMS; at++) {
          stage.tally.send();
          const path = at === 0 ? `${MAPS}?watch=true` : LIST;
          const block = headerBlock(requestFields(path, writer.token));
          socket.write(frame(FRAME.headers, END_HEADERS | END_STREAM, 2 * at + 1, block));
        }
      } else {
        socket.pause();
        stage.tally.send();
        const path = index % 4 === 1 ? `${MAPS}?watch=true` : LIST;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\n`);
      }
    });
    const caller = stage.caller(writer);
    await caller.ask({ method: 'POST', path: MAPS, body: { metadata: { name: 'not-read' } } });
    for (let write = 0; write < stage.size(50, 300) && !signal.aborted; write++)
      await caller.ask({
        method: 'PATCH',
        path: `${MAPS}/not-read`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { data: { value: `${write}${VALUE}` } },
      });
    await hold(2000, signal);
    await caller.ask({ method: 'DELETE', path: `${MAPS}/not-read` });
    return [];
  },
};
