// A kube-apiserver and a server of ours on one etcd, behind one face.
import { ApiServer, openEtcdStore, type Store } from '@windlass/apiserver';
import { type RealCluster, type RealClusterOptions, startRealCluster } from '../harness/index.ts';
import { type Answer, JsonApi, type JsonBody } from './json-api.ts';

export interface OneServer {
  readonly name: string;
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    call?: { readonly body?: unknown; readonly query?: Readonly<Record<string, string>> },
  ): Promise<Pick<Answer, 'status' | 'body'>>;
}

export interface TwoServers extends AsyncDisposable {
  readonly cluster: RealCluster;
  readonly store: Store;
  readonly real: OneServer;
  readonly ours: OneServer;
}

const USER_AGENT = 'windlass-tests/1';

/** Of services, for both. */
const SERVICE_CIDR = '10.96.0.0/16';

/** @param encryption what our server reads; the real one is told by its flags */
export async function startTwoServers(
  options: RealClusterOptions = {},
  encryption?: string,
): Promise<TwoServers> {
  const cluster = await startRealCluster({ log: (line) => console.error(line), ...options });
  const store = await openEtcdStore({ servers: [cluster.etcdUrl], encryption });
  const server = new ApiServer({
    store,
    serviceCidr: SERVICE_CIDR,
    namespaceDefaults: false,
    disabledAdmissionPlugins: ['ServiceAccount'],
  });
  await server.ready();
  const transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  const api = new JsonApi(cluster);
  return {
    cluster,
    store,
    real: {
      name: 'kube-apiserver',
      call: (method, path, call = {}) => api.call(method, path, { ...call, userAgent: USER_AGENT }),
    },
    ours: {
      name: 'windlass',
      async call(method, path, { body, query = {} } = {}) {
        const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
        const request = {
          method,
          path,
          query,
          headers,
          ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        };
        if (query['watch'] === undefined) {
          const answer = await transport.request(request);
          return { status: answer.status, body: answer.body as JsonBody }; // an object, as all answers here
        }
        const watch = await transport.watch(request);
        const events = watch.events === undefined ? [] : (await Array.fromAsync(watch.events)).flat();
        return { status: watch.status, body: { events } };
      },
    },
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]();
      await server.close();
      await cluster.stop();
    },
  };
}
