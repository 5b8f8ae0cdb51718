import type { Command } from '../command-line/command.ts';
import { runControlPlane } from './control-plane.ts';
import { SERVER_FLAGS } from './up.ts';

export const apiserverCommand: Command = {
  name: 'apiserver',
  summary: 'start the API server alone',
  help: `windlass apiserver: the Kubernetes API, without anything that acts on it

Usage: windlass apiserver [flags]

Flags:
${SERVER_FLAGS}
  --namespace-defaults B  true: every namespace gets its service account default
                       and kube-root-ca.crt; false: that is left to the
                       controllers, as with kube-apiserver (default false)

Without that service account pods are refused, unless they name another one.

Examples:
  windlass apiserver --in-memory --port 0 --output json
`,
  run: (args, terminal, signal) => runControlPlane(args, terminal, signal),
};
