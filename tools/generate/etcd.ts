// What the API server says to etcd: the methods below, with the messages that they need. The release is the one that the
// pinned Kubernetes release is built with.
import { readText } from './files.ts';
import { downloadModuleDirectories } from './modules.ts';
import { type ProtoField, type ProtoFile, parseProto } from './proto.ts';
import { printProtocolTable, printProtocolTypes } from './protocol-table.ts';

const API = 'go.etcd.io/etcd/api/v3';
const FILES = ['etcdserverpb/rpc.proto', 'mvccpb/kv.proto', 'authpb/auth.proto'];
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  KV: ['Range', 'Txn', 'Compact'],
  Lease: ['LeaseGrant'],
  Maintenance: ['Status'],
};
/** Of a stream, which the table has no method for. */
const STREAMED = ['WatchRequest', 'WatchResponse'];
/** Lists of numbers, and transactions in transactions, which the codecs do not have. */
const LEFT_OUT = new Set(['WatchCreateRequest.filters', 'RequestOp.request_txn', 'ResponseOp.response_txn']);
/** Of leases. They are random in 63 bits, and nobody counts with them. */
const IDENTITIES = new Set(['lease', 'ID']);

/** Every file of packages/apiserver/src/storage/etcd/generated, by its name. */
export async function buildEtcdOutputs(pinDirectory: string): Promise<Map<string, string>> {
  const { Dir, Version } = (await downloadModuleDirectories(pinDirectory, [API]))(API);
  const file = needed(parseProto(oneFile(FILES.map((path) => readText(`${Dir}/${path}`)))));
  const origin = `${API} ${Version}`;
  return new Map([
    ['rpc.ts', printProtocolTypes(file, origin, { isPlain: false, isPublic: false })],
    ['rpc-table.ts', printProtocolTable(file, origin)],
  ]);
}

/** The messages of the other two are named with their packages, and no name is there twice. */
function oneFile([first = '', ...others]: readonly string[]): string {
  const bodies = others.map((text) => text.replaceAll(/^(syntax|package|import|option)\b.*$/gm, ''));
  return [first, ...bodies].join('\n').replaceAll(/\b(mvccpb|authpb)\.(?=[A-Z])/g, '');
}

function needed(file: ProtoFile): ProtoFile {
  const services = new Map(
    Object.entries(SERVICES).map(([service, names]) => [
      service,
      (file.services.get(service) ?? []).filter(({ name }) => names.includes(name)),
    ]),
  );
  const messages = new Map<string, readonly ProtoField[]>();
  const enums = new Map<string, ReadonlyMap<string, number>>();
  const add = (name: string): void => {
    const values = file.enums.get(name);
    if (values !== undefined) enums.set(name, values);
    if (messages.has(name)) return;
    const fields = file.messages
      .get(name)
      ?.filter((field) => !LEFT_OUT.has(`${name}.${field.name}`))
      .map((field) => (IDENTITIES.has(field.name) ? { ...field, type: 'uint64' } : field));
    if (fields === undefined) return;
    messages.set(name, fields);
    for (const { type } of fields) add(type);
  };
  for (const { request, response } of [...services.values()].flat()) {
    add(request);
    add(response);
  }
  for (const name of STREAMED) add(name);
  return { ...file, services, messages, enums };
}
