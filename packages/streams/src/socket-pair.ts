import { type Duplex, duplexPair } from 'node:stream';

/**
 * The two ends of a connection within the process. As with sockets, what one end wrote before it closed is still read at
 * the other, and an end that is cut cuts the other: Node's own pair tells nobody.
 */
export function socketPair(): [Duplex, Duplex] {
  const [one, other] = duplexPair();
  join(one, other);
  join(other, one);
  return [one, other];
}

function join(side: Duplex, peer: Duplex): void {
  // Who uses the other end learns of it by its end.
  side.on('error', () => {});
  side.once('close', () => {
    if (side.writableFinished && !peer.readableEnded) peer.once('end', () => peer.destroy());
    else peer.destroy();
  });
}
