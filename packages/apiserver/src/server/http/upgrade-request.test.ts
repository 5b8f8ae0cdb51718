import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { hangUpWhenIdle, isStreamUpgrade } from './upgrade-request.ts';
import { webSocketToken, withoutWebSocketToken } from './websocket-token.ts';

describe('a connection with another protocol', () => {
  it('is one of those that are spoken here', () => {
    for (const upgrade of ['websocket', 'WebSocket', 'SPDY/3.1'])
      assert.equal(isStreamUpgrade({ connection: 'Upgrade', upgrade }), true, upgrade);
    assert.equal(isStreamUpgrade({ connection: 'Upgrade', upgrade: 'h2c' }), false);
    assert.equal(isStreamUpgrade({ upgrade: 'websocket' }), false);
  });

  it('is closed when nothing comes for too long, and not before', async () => {
    const clock = new FakeClock();
    const socket = { bytesRead: 0, bytesWritten: 0, destroyed: false };
    const watched = Object.assign(socket, {
      destroy: () => {
        socket.destroyed = true;
        return watched;
      },
    });
    // Only these three fields are looked at.
    hangUpWhenIdle(watched as unknown as Parameters<typeof hangUpWhenIdle>[0], clock, 1000);
    socket.bytesRead = 5;
    await clock.advance(1000);
    socket.bytesWritten = 5;
    await clock.advance(1000);
    assert.equal(socket.destroyed, false);
    await clock.advance(1000);
    assert.equal(socket.destroyed, true);
  });
});

describe('a token among the subprotocols', () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('t').toString('base64url')}`;

  it('is found, and taken out', () => {
    const headers = { ...upgrade, 'sec-websocket-protocol': `a, ${token}` };
    assert.equal(webSocketToken(headers), 't');
    assert.equal(withoutWebSocketToken(headers)['sec-websocket-protocol'], 'a');
  });

  it('counts for WebSockets alone', () => {
    assert.equal(webSocketToken({ 'sec-websocket-protocol': `a, ${token}` }), undefined);
  });

  for (const offered of [token, `a, ${token}, ${token}`, `a, ${token}!`])
    it(`is refused in: ${offered}`, () => {
      assert.throws(() => webSocketToken({ ...upgrade, 'sec-websocket-protocol': offered }), /Unauthorized/);
    });
});
