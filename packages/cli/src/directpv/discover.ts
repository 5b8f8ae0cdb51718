import { readFile, writeFile } from 'node:fs/promises';
import { toError } from '@windlass/base';
import {
  type DiscoveredDevice,
  discoverDevices,
  initConfigOf,
  initDrives,
  parseInitConfig,
  writeInitConfig,
} from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK, UsageError } from '../command-line/exit.ts';
import { formatBytes } from '../command-line/format-bytes.ts';
import type { AdminCommand, Flag } from './admin-command.ts';
import { DANGEROUS, DRIVES, NODES } from './selection.ts';
import { renderTable } from './table.ts';

const TIMEOUT: Flag = {
  name: 'timeout',
  value: 'TIME',
  text: 'how long nodes have to answer, such as 90s (default 2m)',
};
const DEFAULT_FILE = 'drives.yaml';
const ID_CHARACTERS = 16;

export const discoverCommand: AdminCommand = {
  name: 'discover',
  summary: 'look for drives that can be used',
  about: `Every node looks at its devices anew. What can be initialised is written to a file; take out what you
want to keep, or write select: "no", before you give it to init.`,
  flags: [
    NODES,
    DRIVES,
    { name: 'all', text: 'show devices that cannot be used too, and why' },
    {
      name: 'output-file',
      value: 'FILE',
      text: `where the drives are written (default ${DEFAULT_FILE})`,
    },
    TIMEOUT,
  ],
  examples: ['', '--all', '--nodes=node-{1...4} --drives=sd{b...f}', '--output-file rack-7.yaml'],
  async run(call) {
    const timeoutMs = call.duration('timeout');
    const file = call.text('output-file') ?? DEFAULT_FILE;
    const { devices, silent, unknown, asked } = await discoverDevices(await call.client(), {
      nodes: call.list('nodes'),
      drives: call.list('drives'),
      signal: call.signal,
      onProgress: call.progress,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    for (const node of unknown) call.complain(`node ${node} does not run the driver`);
    if (asked === 0 && unknown.length === 0)
      call.complain('no node runs the driver; install it first, and look at its pods in namespace directpv');
    for (const node of silent) call.complain(`node ${node} did not answer in time`);
    const available = devices.filter(({ isAvailable }) => isAvailable);
    const shown = call.has('all') ? devices : available;
    if (shown.length > 0) call.print(deviceTable(shown));
    const hasFailed = asked === 0 || silent.length > 0 || unknown.length > 0;
    if (available.length === 0) {
      if (asked > silent.length)
        call.complain(
          `no drive can be initialised${devices.length > 0 && !call.has('all') ? '; --all shows the others, and why' : ''}`,
        );
      return EXIT_FAILED;
    }
    await writeFile(file, writeInitConfig(initConfigOf(available))).catch((error: unknown) => {
      throw new UsageError(
        `${file} cannot be written: ${toError(error).message}; choose another with --output-file`,
      );
    });
    const count = available.length === 1 ? 'one drive, selected' : `${available.length} drives, all selected`;
    call.note(`wrote ${file}: ${count}; init destroys what is on what is selected`);
    return hasFailed ? EXIT_FAILED : EXIT_OK;
  },
};

function deviceTable(devices: readonly DiscoveredDevice[]): string {
  return renderTable(
    ['ID', 'NODE', 'DRIVE', 'SIZE', 'FILESYSTEM', 'MAKE', 'AVAILABLE', 'DESCRIPTION'],
    devices.map(({ id, node, name, size, fsType = '', make = '', isAvailable, deniedReason = '' }) => [
      id.length > ID_CHARACTERS ? `${id.slice(0, ID_CHARACTERS)}...` : id,
      node,
      name,
      formatBytes(size),
      fsType,
      make,
      isAvailable ? 'YES' : 'NO',
      deniedReason,
    ]),
  );
}

export const initCommand: AdminCommand = {
  name: 'init',
  summary: 'format drives, which destroys what is on them',
  positionals: 'drives.yaml',
  about: `Formats the drives that the file selects and takes them into use. A drive that has changed since it was
discovered, or that is in use, is refused.`,
  flags: [DANGEROUS, TIMEOUT],
  examples: ['drives.yaml --dangerous', 'drives.yaml --dangerous --timeout 10m'],
  async run(call) {
    const timeoutMs = call.duration('timeout');
    const [file, ...more] = call.positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError(
        `name one file, such as ${DEFAULT_FILE}; ${call.command.replace(/init$/, 'discover')} makes it`,
      );
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new UsageError(`${file} cannot be read: ${toError(error).message}`);
    });
    const config = parseInitConfig(text, file);
    call.requireDangerous('init destroys what is on the drives');
    const results = await initDrives(await call.client(), config, {
      signal: call.signal,
      onProgress: call.progress,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    call.print(
      renderTable(
        ['REQUEST_ID', 'NODE', 'DRIVE', 'MESSAGE'],
        results.map(({ requestId, node, drive, error }) => [
          requestId,
          node,
          drive,
          error === undefined ? 'Success' : `ERROR; ${error}`,
        ]),
      ),
    );
    return results.every(({ error }) => error === undefined) ? EXIT_OK : EXIT_FAILED;
  },
};
