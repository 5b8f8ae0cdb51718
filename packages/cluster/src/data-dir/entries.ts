// What a cluster has in its data directory. Nothing else there is ever deleted.

/** What an in-memory cluster keeps while it runs. */
export const IN_MEMORY = 'in-memory';
/** The log of a cluster that runs in the background. */
export const LOG_FILE = 'windlass.log';

/** Locked by the process that runs the cluster. */
export const LOCK_FILE = 'cluster.lock';

/** The folders with nodes, from the data directory. */
export const NODE_FOLDERS: readonly string[] = Object.freeze(['nodes', `${IN_MEMORY}/nodes`]);

/** What every start makes where it is not there. */
export const MADE_AT_START: readonly string[] = Object.freeze(['pki', 'kubeconfig', LOG_FILE]);

const OWN: ReadonlySet<string> = new Set([
  ...MADE_AT_START,
  IN_MEMORY,
  'nodes',
  'state',
  'state.mark',
  'audit.log',
]);
/** Files that were being written when the process was killed. */
const DRAFT = /^(kubeconfig|cluster\.json)\.new$/;

/** Whether a cluster made it. The record and the lock are not among them: they go last. */
export function isOwnEntry(name: string): boolean {
  return OWN.has(name) || DRAFT.test(name);
}
