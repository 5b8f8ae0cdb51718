import { chmod, lstat, rename, rm, stat } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import path from 'node:path';
import { makeDirectory } from '@windlass/base';
import { SocketError } from './errors.ts';

/** What the kernel has room for, without the closing zero. */
const MAX_PATH_BYTES = 107;
const MAX_ATTEMPTS = 64;

type Listener = Pick<Server, 'listen' | 'once' | 'off'>;

/**
 * Listens on a unix socket that only its owner may use.
 *
 * The socket is made under a hidden name and then moved to its own: who watches the folder, as the
 * kubelet does, sees it only when it can be used, and one that a crash left behind is replaced in one
 * step. Returns the removal, which leaves alone what another process has put there since.
 *
 * @throws SocketError where a live server has the path, or something that is no socket
 */
export async function listenOnSocket(server: Listener, socketPath: string): Promise<() => Promise<void>> {
  checkLength(socketPath);
  await makeDirectory(path.dirname(socketPath));
  await refuseIfTaken(socketPath);
  const hidden = await listenHidden(server, path.dirname(socketPath));
  await chmod(hidden, 0o600);
  const own = await stat(hidden);
  await rename(hidden, socketPath);
  return async () => {
    const present = await lstat(socketPath).catch(() => undefined);
    if (present?.ino === own.ino && present.dev === own.dev) await rm(socketPath, { force: true });
  };
}

/** Binding is exclusive: of two that begin at the same time, one takes the next name. */
async function listenHidden(server: Listener, folder: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const hidden = path.join(folder, `.${process.pid.toString(36)}${attempt === 0 ? '' : `-${attempt}`}`);
    checkLength(hidden);
    try {
      await listen(server, hidden);
      return hidden;
    } catch (error) {
      // The error of a socket that does not listen has a code; of any other error the code is undefined.
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || attempt === MAX_ATTEMPTS)
        throw new SocketError('SOCKET_PATH_INVALID', `no socket can be made in ${folder}`, error);
    }
  }
}

function listen(server: Listener, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: socketPath }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function checkLength(socketPath: string): void {
  const length = Buffer.byteLength(socketPath);
  if (length > MAX_PATH_BYTES)
    throw new SocketError(
      'SOCKET_PATH_INVALID',
      `the socket path ${socketPath} has ${length} bytes; at most ${MAX_PATH_BYTES} are possible`,
    );
}

async function refuseIfTaken(socketPath: string): Promise<void> {
  const present = await lstat(socketPath).catch(() => undefined);
  if (present === undefined) return;
  if (!present.isSocket())
    throw new SocketError(
      'SOCKET_PATH_INVALID',
      `${socketPath} is there and is no socket; remove it or choose another path`,
    );
  if (await answers(socketPath))
    throw new SocketError('SOCKET_IN_USE', `another process serves ${socketPath}; stop it first`);
}

/** Whether somebody accepts connections; a socket that a crash left behind has nobody. */
function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}
