import { Malformer } from '../../fuzz/malformed.ts';
import type { Attack, Stage } from '../attack.ts';
import { dialTls } from '../place.ts';
import { hold, swarm } from '../swarm.ts';

const HIDDEN = 'GET /api/v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const POST = 'POST /api/v1/namespaces/attack/configmaps HTTP/1.1\r\nHost: localhost\r\n';

/** Requests whose end two parties would see at different places. A server that answers what follows was fooled. */
const AMBIGUOUS: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['chunks and a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: 60\r\n\r\n${HIDDEN}`],
  ['a list of lengths', `${POST}Content-Length: 0, 60\r\n\r\n${HIDDEN}`],
  ['a signed length', `${POST}Content-Length: +0\r\n\r\n${HIDDEN}`],
  ['a length in hexadecimal', `${POST}Content-Length: 0x0\r\n\r\n${HIDDEN}`],
  ['a blank before the colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  [
    'chunked twice',
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ['something like chunked', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a folded header', `${POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a bare line feed', `${POST}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a bad chunk size', `${POST}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${HIDDEN}`],
  ['a chunk size without an end', `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n${HIDDEN}`],
  ['an old version', `POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a null byte', `GET /readyz HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n${HIDDEN}`],
];

/** Attempts to hide one request in another, an upgrade, and bytes that are no HTTP at all. */
export const smuggling: Attack = {
  name: 'smuggling',
  summary: 'hides a request in another one by HTTP/1.1 ambiguities, asks for upgrades, sends noise',
  async start(stage, signal) {
    const found: string[] = [];
    for (const [what, bytes] of AMBIGUOUS) {
      if (signal.aborted) break;
      const text = await exchange(stage, bytes, signal);
      const codes = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, code]) => Number(code));
      for (const code of codes) stage.tally.answer(code);
      if (codes.length > 1)
        found.push(`a request with ${what} was answered ${codes.length} times: ${codes.join(', ')}`);
    }
    const upgrade =
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n';
    if ((await exchange(stage, upgrade, signal)).startsWith('HTTP/1.1 101'))
      found.push('an upgrade to HTTP/2 within TLS was taken');
    const malformer = new Malformer(stage.random.int(2 ** 31));
    await swarm(stage.size(40, 1000), 10, signal, async (index) => {
      await exchange(stage, malformer.wire(), signal, index % 2 === 0 ? 'h2' : 'http/1.1');
    });
    return found;
  },
};

/** Resolves with what the server said until it hung up, or for a moment. */
async function exchange(
  stage: Stage,
  bytes: string | Buffer,
  signal: AbortSignal,
  alpn: 'h2' | 'http/1.1' = 'http/1.1',
): Promise<string> {
  const socket = await dialTls(stage.place, alpn, signal);
  if (socket === undefined) return '';
  stage.tally.send();
  let text = '';
  const closed = new Promise<void>((resolve) => socket.on('close', resolve));
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.write(bytes);
  await Promise.race([closed, hold(150, signal)]);
  socket.destroy();
  return text;
}
