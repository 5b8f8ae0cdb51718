// Replays recorded bytes as an API server's answers, as fast as the other side reads: what is measured
// then is the client. Objects are rendered once; an event costs this process a copy and eight digits.
//
// Usage: node replay-server.ts OBJECTS EVENTS
// Prints its port. A list answers with all objects, as a server does from its cache; a streaming list
// sends them as events and then its marker; a watch from a version sends EVENTS changes, then bookmarks.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { FIRST_VERSION, VOLUME, volume } from './volumes.ts';

const [objects = 0, events = 0] = process.argv.slice(2).map(Number);
const PATH = `/apis/${VOLUME.group}/${VOLUME.version}/${VOLUME.plural}`;
const LIST_VERSION = FIRST_VERSION + objects;
const VERSION_KEY = '"resourceVersion":"';
const DIGITS = 8;

const texts = Array.from({ length: objects }, (_, index) => JSON.stringify(volume(index)));
const listBody = Buffer.from(
  `{"apiVersion":"${VOLUME.group}/${VOLUME.version}","items":[${texts.join(',')}],"kind":"${VOLUME.kind}List",` +
    `"metadata":{"continue":"","resourceVersion":"${LIST_VERSION}"}}`,
);
const initialLines = Buffer.from(texts.map((text) => `{"type":"ADDED","object":${text}}\n`).join(''));
const markerLine = line('BOOKMARK', { 'k8s.io/initial-events-end': 'true' });
const changes = render('MODIFIED');

/** Every object as an event, and where in the bytes its version stands. */
function render(type: string): { readonly bytes: Buffer; readonly versionAt: readonly number[] } {
  const versionAt: number[] = [];
  let length = 0;
  const lines = texts.map((text) => {
    const event = `{"type":"${type}","object":${text}}\n`;
    versionAt.push(length + event.indexOf(VERSION_KEY) + VERSION_KEY.length);
    length += event.length; // all of it is ASCII
    return event;
  });
  return { bytes: Buffer.from(lines.join('')), versionAt };
}

function line(type: string, annotations: Record<string, string>): Buffer {
  const metadata = { annotations, creationTimestamp: null, resourceVersion: String(LIST_VERSION) };
  const { kind, group, version } = VOLUME;
  return Buffer.from(
    `${JSON.stringify({ type, object: { kind, apiVersion: `${group}/${version}`, metadata } })}\n`,
  );
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.write(bytes)) await once(socket, 'drain');
}

/** One HTTP chunk, in pieces that fill no buffer beyond reason. */
async function chunk(socket: Socket, bytes: Buffer): Promise<void> {
  const piece = 256 * 1024;
  for (let at = 0; at < bytes.length; at += piece) {
    const part = bytes.subarray(at, at + piece);
    socket.cork();
    socket.write(`${part.length.toString(16)}\r\n`);
    const written = write(socket, part);
    socket.write('\r\n');
    socket.uncork();
    await written;
  }
}

async function sendChanges(socket: Socket): Promise<void> {
  let version = LIST_VERSION;
  for (let left = events; left > 0; left -= objects) {
    const count = Math.min(left, objects);
    const end =
      count === objects ? changes.bytes.length : changes.bytes.indexOf(10, changes.versionAt[count - 1]) + 1;
    const bytes = Buffer.from(changes.bytes.subarray(0, end));
    for (let index = 0; index < count; index++)
      bytes.write(String(++version), changes.versionAt[index] ?? 0, DIGITS, 'latin1');
    await chunk(socket, bytes);
  }
}

async function answer(socket: Socket, target: string): Promise<void> {
  const url = new URL(target, 'http://localhost');
  if (url.pathname !== PATH) {
    socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  const json = 'Content-Type: application/json\r\n';
  if (url.searchParams.get('watch') === null) {
    socket.write(`HTTP/1.1 200 OK\r\n${json}Content-Length: ${listBody.length}\r\n\r\n`);
    await write(socket, listBody);
    return;
  }
  socket.write(`HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n`);
  if (url.searchParams.get('sendInitialEvents') === 'true') {
    await chunk(socket, initialLines);
    await chunk(socket, markerLine);
  }
  await sendChanges(socket);
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  let head = '';
  socket.on('data', (data: Buffer) => {
    head += data.toString('latin1');
    for (let end = head.indexOf('\r\n\r\n'); end !== -1; end = head.indexOf('\r\n\r\n')) {
      const target = head.split(' ', 2)[1] ?? '/';
      head = head.slice(end + 4);
      answer(socket, target).catch(() => socket.destroy());
    }
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
// It lives as long as whoever started it.
process.stdin.on('end', () => process.exit(0)).resume();
