#!/usr/bin/env node
import { realClock } from '@windlass/base';
import { stopSignal } from './command-line/stop-signal.ts';
import { processTerminal } from './command-line/terminal.ts';
import { main } from './main.ts';

/** What was left alone at a stop, such as a program that hangs, must not keep the process. */
const LINGER_MS = 300;

const signal = stopSignal();
process.exitCode = await main(process.argv.slice(2), processTerminal, signal);
if (signal.aborted) realClock.setTimeout(() => process.exit(), LINGER_MS, { keepAlive: false });
