import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container } from '@windlass/apimachinery/api/core/v1';
import { printedLines } from '../shell/printed-lines.ts';

/** As much of a file is told, and as much of a log in its place. */
const MAX_FILE_BYTES = 4096;
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;
const DEFAULT_PATH = '/dev/termination-log';

export interface Ended {
  readonly container: DeepReadonly<Container>;
  readonly hostname: string;
  /** How long it has run. */
  readonly ranMs: number;
  readonly exitCode: number;
}

/** What a container leaves to be read when it has ended, as far as its script says so; empty: nothing. */
export function terminationMessage({ container, hostname, ranMs, exitCode }: Ended): string {
  const { command = [], args = [], env = [], terminationMessagePath = DEFAULT_PATH } = container;
  const words = [...command, ...args];
  const isFromLog =
    exitCode !== 0 && container.terminationMessagePolicy === 'FallbackToLogsOnError' && words.length > 0;
  // Most containers neither write the file nor are asked for their log.
  if (!isFromLog && !words.some((word) => word.includes(terminationMessagePath))) return '';
  let written = '';
  const printed = printedLines({
    command: words,
    environment: Object.fromEntries(env.map(({ name, value = '' }) => [name, value])),
    hostname,
    startedAt: 0,
    onFile: (path, text, isAppended) => {
      if (path === terminationMessagePath) written = isAppended ? written + text : text;
    },
  });
  const lines: string[] = [];
  for (const { at, text, isOpen } of printed) {
    if (at > ranMs) break;
    lines.push(isOpen === true ? text : `${text}\n`);
    if (lines.length > MAX_LOG_LINES) lines.shift();
  }
  if (written !== '' || !isFromLog) return firstBytes(written, MAX_FILE_BYTES);
  return lastBytes(lines.join(''), MAX_LOG_BYTES);
}

function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.byteLength <= limit ? text : bytes.toString('utf8', 0, limit);
}

function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.byteLength <= limit ? text : bytes.toString('utf8', bytes.byteLength - limit);
}
