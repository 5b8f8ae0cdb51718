import type { Duplex } from 'node:stream';
import {
  type ByteStream,
  COMMAND_PROTOCOLS,
  chooseProtocol,
  collectBytes,
  copyBytes,
  type OpenCommand,
  openSpdyCommand,
  type RemoteCommand,
  webSocketAnswer,
  webSocketCommand,
} from '@windlass/streams';
import type { ConnectAnswer, ConnectRequest } from '../resource/connect.ts';
import type { CommandOptions } from './connect-options.ts';

const V5 = ['v5.channel.k8s.io'];
/** A Status has no more. */
const MAX_STATUS_BYTES = 64 * 1024;

/** Lets a client speak WebSocket while the kubelet speaks SPDY. */
export function translateCommand(
  { headers, context }: ConnectRequest,
  kubelet: Duplex,
  options: CommandOptions,
): ConnectAnswer {
  const protocol = chooseProtocol(V5, COMMAND_PROTOCOLS);
  if (protocol === undefined) throw new TypeError('the newest protocol of commands is not known');
  const wanted = { ...options, stderr: options.stderr && !options.tty };
  return {
    type: 'upgrade',
    status: 101,
    headers: webSocketAnswer(headers, protocol.name),
    run: async (client) => {
      try {
        const [command, backend] = await Promise.all([
          webSocketCommand(client, protocol, wanted),
          openSpdyCommand(kubelet, wanted),
        ]);
        await exchange(command, backend);
        await command.close();
      } catch (error) {
        context.logger.debug('a stream between a client and a kubelet was cut', { error });
      } finally {
        kubelet.destroy();
      }
    },
  };
}

/** Resolves when the command has ended and its client knows how, or when one of the two is gone. */
async function exchange(command: RemoteCommand, backend: OpenCommand): Promise<void> {
  const up = (source: AsyncIterable<Uint8Array> | undefined, target: ByteStream | undefined): void => {
    if (source !== undefined && target !== undefined) copyBytes(source, target).catch(() => {});
  };
  up(command.stdin, backend.stdin);
  up(command.resize, backend.resize);
  const gone = Promise.withResolvers<void>();
  command.signal.addEventListener('abort', () => gone.resolve(), { once: true });
  const ended = (async (): Promise<void> => {
    const status = collectBytes(backend.error.input, MAX_STATUS_BYTES);
    await Promise.all([down(backend.stdout, command.stdout), down(backend.stderr, command.stderr)]);
    // After all that the command has printed.
    const text = await status;
    if (text.byteLength > 0) await command.error.write(text);
  })();
  await Promise.race([ended, gone.promise]);
  await backend.close();
}

async function down(source: ByteStream | undefined, target: ByteStream | undefined): Promise<void> {
  if (source !== undefined && target !== undefined) await copyBytes(source.input, target);
}
