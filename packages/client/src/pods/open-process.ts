import { type CommandStreams, openSpdyCommand, openWebSocketCommand } from '@windlass/streams';
import { openStream, type StreamTarget } from './open-stream.ts';
import { PodProcess } from './pod-process.ts';
import { channelProtocol, commandOffers } from './stream-offers.ts';

/** Runs or joins a command, in the newest protocol that the server speaks. */
export async function openProcess(target: StreamTarget, what: string): Promise<PodProcess> {
  const { query, random, signal } = target;
  const wanted: CommandStreams = {
    stdin: query['stdin'] === 'true',
    stdout: query['stdout'] === 'true',
    stderr: query['stderr'] === 'true',
    tty: query['tty'] === 'true',
  };
  const { type, protocol, socket } = await openStream(target, commandOffers(wanted.stdin));
  const channels = channelProtocol(protocol);
  if (type === 'spdy' || channels === undefined) {
    const command = await openSpdyCommand(socket, wanted).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
    return new PodProcess({ command, socket, what, signal });
  }
  const command = openWebSocketCommand(socket, { protocol: channels, random }, wanted);
  return new PodProcess({ command, socket, what, signal });
}
