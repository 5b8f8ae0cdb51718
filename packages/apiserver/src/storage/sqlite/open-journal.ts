import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { KubeObject } from '@windlass/apimachinery';
import { type Logger, toError, WindlassError } from '@windlass/base';
import { StoreCorruptError } from '../errors.ts';
import type { Journal, JournalContents, JournalRecord } from '../journal.ts';
import { parseObject } from '../states/object-json.ts';
import { openError, threadError } from './failure-errors.ts';
import type { LostWrites } from './failures.ts';
import type { LogDatabaseOptions } from './log-database.ts';
import type { LogMeta } from './log-meta.ts';
import type { LogRow } from './log-verifier.ts';
import type { Answer } from './protocol.ts';
import { SqliteJournal } from './sqlite-journal.ts';

export interface OpenedJournal {
  readonly journal: Journal;
  readonly contents: JournalContents;
}

/**
 * Starts the thread, which opens and checks the database, and takes what is in it.
 *
 * The database has a thread of its own because a commit waits for the disk, and in this thread that stops
 * every request. With 32 writers, each write in a turn of its own as requests are, on two busy cores and
 * ext4: 5,600 durable writes a second with the loop held up for 1.2 ms in the median, against 400 to 700
 * with 44 to 71 ms when the database is here.
 */
export async function openSqliteJournal(options: LogDatabaseOptions, logger: Logger): Promise<OpenedJournal> {
  const { directory } = options;
  const worker = new Worker(workerFile(), {
    name: 'windlass-store',
    workerData: options,
    // The flags of this process, such as a debugger's, are not the thread's.
    execArgv: [],
  });
  try {
    const contents = await load(worker, directory, logger);
    return { journal: new SqliteJournal(directory, worker, logger), contents };
  } catch (error) {
    await worker.terminate();
    throw error instanceof WindlassError ? error : threadError(directory, toError(error));
  }
}

// Built, the worker is JavaScript like this file.
function workerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./worker.ts', import.meta.url)
    : new URL('./worker.js', import.meta.url);
}

async function load(worker: Worker, directory: string, logger: Logger): Promise<JournalContents> {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const writes: JournalRecord[] = [];
  let meta: LogMeta | undefined;
  for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
    // The thread sends nothing else.
    const answer = message as Answer;
    if (answer.type === 'opened') {
      meta = answer.meta;
      if (answer.lost !== undefined) warnOfLoss(directory, answer.lost, meta.revision, logger);
    } else if (answer.type === 'rows') for (const row of answer.rows) writes.push(parse(row, directory));
    else if (answer.type === 'loaded' && meta !== undefined) return { ...meta, writes };
    else if (answer.type === 'failed') {
      // Then the directory is free again.
      await exited;
      throw openError(directory, answer.failure);
    }
  }
  throw threadError(directory, 'it ended before it had opened the database');
}

function warnOfLoss(directory: string, lost: LostWrites, goesOnAt: number, logger: Logger): void {
  logger.warn('writes are lost, as was accepted; objects may be older than clients have seen them', {
    directory,
    lostFrom: lost.last + 1,
    lostTo: lost.reached,
    goesOnAt,
  });
}

function parse(row: LogRow, directory: string): JournalRecord {
  const { revision, key, value } = row;
  if (value === null) return { revision, key, kept: undefined };
  let object: KubeObject | null;
  try {
    // What was written was an object; that it is the same one, its checksum has shown.
    object = parseObject(value);
  } catch (error) {
    throw new StoreCorruptError(directory, `row ${revision} of the log, key "${key}", is no JSON`, error);
  }
  if (object?.metadata?.resourceVersion !== String(revision)) {
    throw new StoreCorruptError(
      directory,
      `row ${revision} of the log, key "${key}", has another revision in it`,
    );
  }
  return { revision, key, kept: value };
}
