#!/usr/bin/env node
import { stopSignal } from './command-line/stop-signal.ts';
import { processTerminal } from './command-line/terminal.ts';
// With this on the PATH, kubectl has the command `kubectl directpv`.
import { kubectlPlugin } from './directpv/kubectl-plugin.ts';

process.exitCode = await kubectlPlugin(process.argv.slice(2), processTerminal, stopSignal());
