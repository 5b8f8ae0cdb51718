import { mkdtemp, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from '@windlass/base';
import { shortLinkTo } from './short-link.ts';

/** The kernel's limit for the path of a socket is 107 bytes; this is the longest of ours below a node's folder. */
const LONGEST_SOCKET = '/plugins_registry/directpv-min-io-reg.sock'.length;
const MAX_SOCKET_PATH = 107;

/** Folders of nodes, which have volumes and sockets in them. */
export interface NodeRoots extends AsyncDisposable {
  /** Short enough for sockets, and the same at the next start. */
  folder(node: string): string;
}

/**
 * The folders are in `nodesDir`; without one they are temporary. Where the path would be too long for sockets, a
 * link in the machine's temporary folder stands for it.
 */
export async function nodeRoots(nodesDir: string | undefined, nodes: readonly string[]): Promise<NodeRoots> {
  const home = nodesDir ?? (await mkdtemp(join(tmpdir(), 'windlass-')));
  await makeDirectory(home, { mode: 0o700 });
  const longest = Math.max(0, ...nodes.map((node) => node.length));
  const isShort = Buffer.byteLength(home) + 1 + longest + LONGEST_SOCKET <= MAX_SOCKET_PATH;
  const base = isShort ? home : await shortLink(home);
  for (const node of nodes) await makeDirectory(join(base, node), { mode: 0o700 });
  return {
    folder: (node) => join(base, node),
    async [Symbol.asyncDispose]() {
      if (nodesDir === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Its name follows from where it leads, so that what a kubelet has written stays true after a restart. */
async function shortLink(home: string): Promise<string> {
  const link = shortLinkTo(home);
  const leadsTo = await readlink(link).catch(() => undefined);
  if (leadsTo !== home) {
    await rm(link, { force: true });
    await symlink(home, link, 'dir');
  }
  return link;
}
