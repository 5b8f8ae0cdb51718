import type { Served } from '@windlass/apimachinery';
import { realClock, systemRandom, throwIfAborted, withDeadline } from '@windlass/base';
import type { Client } from '@windlass/client';
import {
  CREATED_BY,
  DirectPVInitRequest,
  type InitDeviceResult,
  LABELS,
  nodeLabelValue,
  VERSION,
} from '../resources/index.ts';
import { DEFAULT_WAIT_MS, type WaitOptions } from './admin-options.ts';
import { driverNodes } from './discover.ts';
import { naturally } from './drive-query.ts';
import { InvalidRequestError } from './errors.ts';
import { inParallel } from './in-parallel.ts';
import { type InitConfig, type InitNode, isSelected } from './init-config.ts';
import { waitFor } from './wait-for.ts';

/** What became of one device. */
export interface InitResult {
  readonly requestId: string;
  readonly node: string;
  readonly drive: string;
  /** Absent when the drive was initialised. */
  readonly error?: string;
}

/**
 * Asks the nodes to format the selected drives, which destroys what is on them, and waits for the results. When it
 * ends, in whatever way, the requests are gone: a node that was away must not come back and format drives later.
 * A drive whose node did not answer in time has an error that says so.
 */
export async function initDrives(
  client: Client,
  config: InitConfig,
  options: WaitOptions = {},
): Promise<InitResult[]> {
  const { timeoutMs = DEFAULT_WAIT_MS, clock = realClock, random = systemRandom, signal } = options;
  const { onProgress } = options;
  const nodes = selectedNodes(config);
  if (nodes.length === 0)
    throw new InvalidRequestError('no drive is selected; write select: "yes" for those to initialise');
  const call = signal === undefined ? {} : { signal };
  const running = new Set(await driverNodes(client, call));
  const present = nodes.filter(({ name }) => running.has(name));
  const requestId = random.uuid();
  const labelSelector = `${LABELS.requestId}=${requestId}`;
  const requests = client.resource(DirectPVInitRequest);
  const answers = new Map<string, readonly InitDeviceResult[]>();
  const names = new Map(present.map((node) => [random.uuid(), node]));
  try {
    await inParallel([...names], ([name, node]) => requests.create(requestFor(name, node, requestId), call));
    const hasAnswered = ({ metadata, status }: Served<DirectPVInitRequest>): boolean => {
      const node = names.get(metadata.name);
      if (node !== undefined && status.status !== 'Pending' && !answers.has(node.name)) {
        answers.set(node.name, status.results ?? []);
        onProgress?.({ done: answers.size, of: names.size, node: node.name });
      }
      return answers.size === names.size;
    };
    using deadline = withDeadline(clock, timeoutMs, 'the initialisation', signal);
    if (names.size > 0)
      await waitFor(client, DirectPVInitRequest, hasAnswered, {
        labelSelector,
        clock,
        signal: deadline.signal,
      });
    throwIfAborted(signal);
  } finally {
    await requests.deleteCollection({ labelSelector });
  }
  return nodes
    .flatMap((node) =>
      node.drives.map((drive): InitResult => {
        const error = errorOf(drive.name, answers.get(node.name), running.has(node.name));
        return { requestId, node: node.name, drive: drive.name, ...(error !== undefined && { error }) };
      }),
    )
    .toSorted((a, b) => naturally(a.node, b.node) || naturally(a.drive, b.drive));
}

/** Only what a person has selected. */
function selectedNodes({ nodes }: InitConfig): InitNode[] {
  return nodes
    .map((node) => ({ ...node, drives: node.drives.filter(isSelected) }))
    .filter(({ drives }) => drives.length > 0);
}

function requestFor(name: string, node: InitNode, requestId: string): DirectPVInitRequest {
  return {
    metadata: {
      name,
      labels: {
        [LABELS.node]: nodeLabelValue(node.name),
        [LABELS.version]: VERSION,
        [LABELS.createdBy]: CREATED_BY.initRequest,
        [LABELS.requestId]: requestId,
      },
    },
    spec: {
      devices: node.drives.map(({ id, name: drive, fs = '' }) => ({ id, name: drive, force: fs !== '' })),
    },
    status: { status: 'Pending', results: [] },
  };
}

function errorOf(
  drive: string,
  results: readonly InitDeviceResult[] | undefined,
  isRunning: boolean,
): string | undefined {
  if (!isRunning) return 'the node does not run the driver';
  if (results === undefined)
    return 'the node did not answer in time; nothing more will be done for this request';
  const result = results.find(({ name }) => name === drive);
  if (result === undefined) return 'the node did not say what became of the drive; look at its events';
  return result.error === '' ? undefined : result.error;
}
