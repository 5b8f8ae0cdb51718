import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { collectBytes } from '../byte-stream.ts';
import { WebSocketConnection } from '../websocket/connection.ts';
import { ChannelConnection } from './channel-connection.ts';
import { COMMAND_PROTOCOLS, chooseProtocol } from './channel-protocol.ts';

function connect(name: string): { client: WebSocketConnection; channels: ChannelConnection } {
  const [one, other] = duplexPair();
  const protocol = chooseProtocol([name], COMMAND_PROTOCOLS);
  assert.ok(protocol !== undefined);
  return {
    client: new WebSocketConnection(one, { random: new SeededRandom(1) }),
    channels: new ChannelConnection(new WebSocketConnection(other), protocol),
  };
}

describe('channels of a WebSocket', () => {
  for (const { name, isBase64 } of COMMAND_PROTOCOLS)
    it(`${name === '' ? 'without a name' : name} carry bytes both ways`, async () => {
      const { client, channels } = connect(name);
      const input = channels.channel(0, { isRead: true });
      const output = channels.channel(1, { isRead: false });
      const run = channels.run();
      const send = (text: string): Promise<void> =>
        isBase64
          ? client.send('text', Buffer.from(`0${Buffer.from(text).toString('base64')}`))
          : client.send('binary', Buffer.concat([Uint8Array.of(0), Buffer.from(text)]));
      await send('a');
      await send('bc');
      await output.write(Buffer.from('hello'));
      const { value } = await client.messages().next();
      assert.equal(
        Buffer.from(value?.bytes ?? []).toString(),
        isBase64 ? `1${Buffer.from('hello').toString('base64')}` : '\u0001hello',
      );
      await client.close();
      await run;
      assert.equal((await collectBytes(input.input, 100)).toString(), 'abc');
    });

  it('end one by one in the newest protocol', async () => {
    const { client, channels } = connect('v5.channel.k8s.io');
    const input = channels.channel(0, { isRead: true });
    const run = channels.run();
    await client.send('binary', Buffer.from([0, 65]));
    await client.send('binary', Buffer.from([255, 0]));
    assert.equal((await collectBytes(input.input, 100)).toString(), 'A');
    await client.close();
    await run;
  });

  it('take 255 for a channel like others before that', async () => {
    const { client, channels } = connect('v4.channel.k8s.io');
    const input = channels.channel(0, { isRead: true });
    const run = channels.run();
    await client.send('binary', Buffer.from([255, 0]));
    await client.send('binary', Buffer.from([0, 66]));
    await client.close();
    await run;
    assert.equal((await collectBytes(input.input, 100)).toString(), 'B');
  });

  it('drop what comes for channels that nobody reads', async () => {
    const { client, channels } = connect('v4.channel.k8s.io');
    const run = channels.run();
    for (let round = 0; round < 100; round++) await client.send('binary', Buffer.alloc(10_000, 9));
    await client.close();
    await run;
  });

  it('are chosen in the order of the client', () => {
    const choose = (...names: string[]): string | undefined => chooseProtocol(names, COMMAND_PROTOCOLS)?.name;
    assert.equal(choose('x', 'v4.channel.k8s.io', 'v5.channel.k8s.io'), 'v4.channel.k8s.io');
    assert.equal(choose(), '');
    assert.equal(choose('x'), undefined);
  });
});
