import { readFile } from 'node:fs/promises';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { ContainerExit } from '../runtime/runtime.ts';
import { containerSpec } from '../server/container-state.ts';
import { ownerOf } from './config/labels.ts';
import { exitOf } from './container-exit.ts';
import type { ContainerStatus } from './generated/cri.ts';
import { parseLogLine } from './logs/log-line.ts';
import type { PodFiles } from './pod-files.ts';

/** As much of a log stands in for a message. */
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;

/** How a container has ended, with what it has left to be read. */
export async function endOfContainer(
  status: ContainerStatus,
  pod: Cached<Pod>,
  files: PodFiles,
): Promise<ContainerExit & { readonly finishedAt: number }> {
  const { container, uid } = ownerOf(status.labels);
  const spec = containerSpec(pod, container) ?? { name: container };
  const message = await files.readTerminationLog(uid, container, status.metadata?.attempt ?? 0);
  const wantsLog = spec.terminationMessagePolicy === 'FallbackToLogsOnError' && status.exitCode !== 0;
  const log = wantsLog && message === '' ? await endOfLog(status.logPath) : '';
  return exitOf(status, spec, { message, log });
}

async function endOfLog(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .slice(-MAX_LOG_LINES - 1);
  const text = Buffer.concat(
    lines.flatMap((line) => {
      const parsed = parseLogLine(Buffer.from(line, 'latin1'));
      if (parsed === undefined) return [];
      return parsed.isWhole ? [parsed.text, Buffer.from('\n')] : [parsed.text];
    }),
  );
  return text.subarray(Math.max(0, text.byteLength - MAX_LOG_BYTES)).toString('utf8');
}
