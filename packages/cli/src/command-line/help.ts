import { VERSION } from '@windlass/base';
import type { Command } from './command.ts';

/** What `windlass help` prints. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `windlass ${VERSION}: a Kubernetes control plane in one process

Usage: windlass COMMAND [flags]

Commands:
${lines.join('\n')}
  ${'version'.padEnd(width)}print the version
  ${'help'.padEnd(width)}print this; windlass help COMMAND says more of one

Examples:
  windlass up
  windlass up --port 0 --in-memory --output json
  kubectl --kubeconfig .windlass/kubeconfig get namespaces
`;
}
