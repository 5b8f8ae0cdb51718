import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { collectBytes } from '../byte-stream.ts';
import { StreamClosedError, StreamProtocolError } from '../errors.ts';
import { encodeSpdyFrame, SpdyDecoder } from './frames.ts';
import { SpdySession, type SpdySessionOptions } from './session.ts';
import type { SpdyStream } from './stream.ts';

function sessions(server: Partial<SpdySessionOptions>): {
  client: SpdySession;
  server: SpdySession;
  sockets: readonly [Duplex, Duplex];
  ended: Promise<unknown>[];
} {
  const sockets = duplexPair();
  const made = {
    client: new SpdySession(sockets[0], { role: 'client' }),
    server: new SpdySession(sockets[1], { role: 'server', ...server }),
  };
  const ended = [made.client.run(), made.server.run()].map((run) => run.catch((error: unknown) => error));
  return { ...made, sockets, ended };
}

const headers = new Map([['streamtype', 'data']]);

async function answer(stream: SpdyStream): Promise<void> {
  const text = await collectBytes(stream.input, 1000);
  await stream.write(Buffer.from(`got ${text.toString()}`));
  await stream.end();
}

describe('a SPDY session', () => {
  it('carries streams both ways, each of which ends by itself', async () => {
    const { client, ended } = sessions({
      onStream: (stream) => {
        assert.deepEqual([...stream.headers], [...headers]);
        void answer(stream);
      },
    });
    const streams = await Promise.all([client.open(headers), client.open(headers)]);
    assert.deepEqual(
      streams.map(({ id }) => id),
      [1, 3],
    );
    for (const stream of streams) {
      await stream.write(Buffer.from(`from ${stream.id}`));
      await stream.end();
    }
    const answers = await Promise.all(streams.map((stream) => collectBytes(stream.input, 1000)));
    assert.deepEqual(answers.map(String), ['got from 1', 'got from 3']);
    await client.close();
    await Promise.all(ended);
  });

  it('holds up who writes until there is a reader, and loses nothing', async () => {
    const size = 3_000_000;
    const opened = Promise.withResolvers<SpdyStream>();
    const { client } = sessions({ onStream: opened.resolve });
    const stream = await client.open(headers);
    let isWritten = false;
    const writing = (async (): Promise<void> => {
      for (let at = 0; at < size; at += 100_000) await stream.write(Buffer.alloc(100_000, 7));
      isWritten = true;
      await stream.end();
    })();
    const reader = await opened.promise;
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    assert.equal(isWritten, false, 'all was taken although nobody reads');
    const read = await collectBytes(reader.input, size * 2);
    assert.equal(read.byteLength, size);
    await writing;
    await client.close();
  });

  it('refuses streams that it does not want, and those beyond its limit', async () => {
    const { client } = sessions({
      onStream: () => {},
      accepts: (offered) => offered.get('streamtype') === 'data',
      maxStreams: 2,
    });
    await assert.rejects(client.open(new Map([['streamtype', 'odd']])), StreamClosedError);
    await client.open(headers);
    await client.open(headers);
    await assert.rejects(client.open(headers), StreamClosedError);
    await client.close();
  });

  it('frees the place of a stream that both sides have ended', async () => {
    const { client } = sessions({ onStream: (stream) => void stream.end(), maxStreams: 1 });
    for (let round = 0; round < 5; round++) {
      const stream = await client.open(headers);
      await stream.end();
      await collectBytes(stream.input, 10);
    }
    await client.close();
  });

  it('answers pings of the other side, and sends none back for its own', async () => {
    const [peer, own] = duplexPair();
    const session = new SpdySession(own, { role: 'server' });
    const run = session.run();
    const decoder = new SpdyDecoder();
    const answered = Promise.withResolvers<unknown>();
    peer.on('data', (chunk: Buffer) => {
      for (const frame of decoder.push(chunk)) answered.resolve(frame);
    });
    for (const id of [2, 1]) peer.write(Buffer.concat(encodeSpdyFrame({ type: 'ping', id })));
    assert.deepEqual(await answered.promise, { type: 'ping', id: 1 });
    peer.end();
    await run;
  });

  it('ends its streams when the connection is lost', async () => {
    const opened = Promise.withResolvers<SpdyStream>();
    const { client, sockets, ended } = sessions({ onStream: opened.resolve });
    await client.open(headers);
    const stream = await opened.promise;
    sockets[0].destroy();
    sockets[1].destroy();
    assert.equal((await collectBytes(stream.input, 10)).byteLength, 0);
    await assert.rejects(stream.write(Buffer.from('x')), StreamClosedError);
    await Promise.all(ended);
  });

  it('hangs up on a peer whose streams go backwards', async () => {
    const [peer, own] = duplexPair();
    const session = new SpdySession(own, { role: 'server', onStream: () => {} });
    const run = session.run();
    peer.resume();
    const { HeaderPacker } = await import('./headers.ts');
    const packer = new HeaderPacker();
    for (const streamId of [3, 1]) {
      const block = await packer.pack(headers);
      const frame = { type: 'syn-stream', streamId, associatedId: 0, priority: 0, isFin: false } as const;
      peer.write(Buffer.concat(encodeSpdyFrame({ ...frame, isUnidirectional: false, block })));
    }
    await assert.rejects(run, StreamProtocolError);
  });
});
