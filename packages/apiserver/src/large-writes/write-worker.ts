// The thread for large writes. See large-writes.ts.
import { parentPort } from 'node:worker_threads';
import { managerName, StatusError } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { asDefinition } from '../custom/definition/definition-object.ts';
import { customDefinitions } from '../custom/resource/custom-definition.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { performWrite } from '../verbs/write.ts';
import { Asker, RefusedQuestion } from './asker.ts';
import { createJobRuntime } from './job-runtime.ts';
import { pack, unpack } from './packing.ts';
import type { Failure, FromWorker, Job, ToWorker } from './protocol.ts';

const port = parentPort;
if (port === null) throw new Error('write-worker.ts runs only as a worker thread');

const send = (message: FromWorker): void => port.postMessage(message);
const asker = new Asker(send);
const runtime = createJobRuntime(asker);
/** The numbers of the definitions that custom resources were made of last, by their group and plural. */
const custom = new Map<string, number>();

async function definitionOf({ group, version, plural, definition }: Job): Promise<ResourceDefinition> {
  const { catalog } = runtime;
  const name = `${plural}.${group}`;
  if (definition !== undefined && custom.get(name) !== definition) {
    const { object, isTerminating } = await asker.ask('definition', { definition });
    catalog.remove(group, plural);
    catalog.add(customDefinitions(asDefinition(unpack(object)), { converter: undefined, isTerminating }));
    custom.set(name, definition);
  }
  const found = catalog.find(group, version, plural);
  if (found === undefined) throw new TypeError(`${name} is not served in version ${version}`);
  return found;
}

function contextOf(
  { user, headers }: Job,
  { isDryRun, fieldManager }: { readonly isDryRun: boolean; readonly fieldManager: string | undefined },
): RequestContext {
  const { clock, random, logger } = runtime;
  const userAgent = headers['user-agent'] ?? '';
  return {
    user,
    clock,
    random,
    logger,
    signal: undefined,
    isDryRun,
    fieldManager: managerName(fieldManager, userAgent),
    userAgent,
    warn: (message) => asker.tell({ type: 'warn', message }),
    // Only admission annotates, and that is the server's.
    annotate: () => {},
  };
}

async function perform(job: Job): Promise<void> {
  runtime.begin(job);
  const { verb, namespace, name, subresource, query, headers, body } = job;
  const { status, object, stored } = await performWrite(runtime, {
    verb,
    definition: await definitionOf(job),
    namespace,
    name,
    subresource,
    request: { query, headers, body },
    contextFor: (options) => contextOf(job, options),
    onRequestObject: job.isAudited
      ? (value) => asker.tell({ type: 'requestObject', object: pack(value) })
      : undefined,
  });
  send({
    type: 'done',
    status,
    outcome: stored === undefined ? { object: pack(object) } : { revision: stored.revision },
  });
}

function failureOf(error: unknown): Failure {
  if (error instanceof RefusedQuestion) return { type: 'question', question: error.question };
  if (error instanceof StatusError) return { type: 'status', status: error.status };
  const { message, stack } = toError(error);
  return { type: 'error', message, stack };
}

port.on('message', (message: ToWorker) => {
  if (message.type === 'answer') asker.answered(message);
  else perform(message.job).catch((error: unknown) => send({ type: 'failed', failure: failureOf(error) }));
});
send({ type: 'ready' });
