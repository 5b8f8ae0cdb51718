/** A line of a container's log, as runtimes write it: `TIME STREAM F|P TEXT`. */
export interface LogLine {
  /** With all its digits. */
  readonly time: string;
  readonly stream: 'stdout' | 'stderr';
  /** The text ends here; otherwise the next line goes on. */
  readonly isWhole: boolean;
  readonly text: Buffer;
}

const SPACE = 0x20;

/** Undefined for what is no such line, as after a crash in the middle of one. */
export function parseLogLine(line: Buffer): LogLine | undefined {
  const first = line.indexOf(SPACE);
  const second = line.indexOf(SPACE, first + 1);
  const third = line.indexOf(SPACE, second + 1);
  if (first === -1 || second === -1) return undefined;
  const stream = line.toString('latin1', first + 1, second);
  if (stream !== 'stdout' && stream !== 'stderr') return undefined;
  const tags = line.toString('latin1', second + 1, third === -1 ? line.byteLength : third);
  const [tag = ''] = tags.split(':');
  if (tag !== 'F' && tag !== 'P') return undefined;
  return {
    time: line.toString('latin1', 0, first),
    stream,
    isWhole: tag === 'F',
    text: third === -1 ? line.subarray(line.byteLength) : line.subarray(third + 1),
  };
}
