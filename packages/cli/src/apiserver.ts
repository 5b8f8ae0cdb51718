import type { Command } from './command.ts';
import { runControlPlane } from './control-plane.ts';
import { SERVER_FLAGS } from './up.ts';

export const apiserverCommand: Command = {
  name: 'apiserver',
  summary: 'start the API server alone',
  help: `windlass apiserver: the Kubernetes API, without anything that acts on it

Usage: windlass apiserver [flags]

Flags:
${SERVER_FLAGS}

Examples:
  windlass apiserver --in-memory --port 0 --output json
`,
  run: (args, terminal, signal) => runControlPlane(args, terminal, signal),
};
