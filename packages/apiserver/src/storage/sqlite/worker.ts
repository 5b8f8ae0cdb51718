// The thread that has the database. A commit waits for the disk, and in this thread nobody else does.
import { parentPort, workerData } from 'node:worker_threads';
import { report } from './failures.ts';
import { LogDatabase, type LogDatabaseOptions } from './log-database.ts';
import type { LogRow } from './log-verifier.ts';
import type { Answer, Request } from './protocol.ts';

// So many rows go over at once; the store parses them while the next are read.
const ROWS_AT_ONCE = 500;

const port = parentPort;
if (port === null) throw new Error('worker.ts runs only as a worker thread');

const answer = (message: Answer): void => port.postMessage(message);

function open(options: LogDatabaseOptions): LogDatabase | undefined {
  let database: LogDatabase | undefined;
  try {
    database = new LogDatabase(options);
    answer({ type: 'opened', meta: database.meta, lost: database.lost });
    let rows: LogRow[] = [];
    for (const row of database.load()) {
      rows.push(row);
      if (rows.length < ROWS_AT_ONCE) continue;
      answer({ type: 'rows', rows });
      rows = [];
    }
    answer({ type: 'rows', rows });
    database.check();
    answer({ type: 'loaded' });
    return database;
  } catch (error) {
    database?.abandon();
    answer({ type: 'failed', failure: report(error) });
    return undefined;
  }
}

function serve(database: LogDatabase, request: Request): void {
  try {
    if (request.type === 'append') database.append(request.writes);
    else if (request.type === 'compact') database.compact(request.compaction);
    else if (request.type === 'probe') database.probe(request.bytes);
    else database.close();
    answer({ type: 'done' });
  } catch (error) {
    answer({ type: 'failed', failure: report(error) });
  }
  // Nothing else keeps the thread alive.
  if (request.type === 'close') port?.close();
}

// The one who starts this thread passes nothing else.
const opened = open(workerData as LogDatabaseOptions);
if (opened === undefined) port.close();
else port.on('message', (request: Request) => serve(opened, request));
