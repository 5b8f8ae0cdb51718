#!/usr/bin/env node
import { realClock } from '@windlass/base';
import { main } from './main.ts';
import { processTerminal } from './terminal.ts';

const stop = new AbortController();
let firstSignalAt: number | undefined;
/** npm and a terminal may both pass on the same signal; that is one wish, not two. */
const SAME_WISH_MS = 500;

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    const now = realClock.monotonic();
    if (firstSignalAt !== undefined && now - firstSignalAt > SAME_WISH_MS) process.exit(130);
    firstSignalAt ??= now;
    stop.abort();
  });
}

process.exitCode = await main(process.argv.slice(2), processTerminal, stop.signal);
