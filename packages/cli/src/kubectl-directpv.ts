#!/usr/bin/env node
// With this on the PATH, kubectl has the command `kubectl directpv`.
import { kubectlPlugin } from './directpv/kubectl-plugin.ts';
import { stopSignal } from './stop-signal.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await kubectlPlugin(process.argv.slice(2), processTerminal, stopSignal());
