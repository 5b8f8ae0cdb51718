import { newBadRequest, newServiceUnavailable } from '@windlass/apimachinery';
import type { ConnectAnswer, ConnectHandler, ConnectRequest } from '../resource/connect.ts';
import type { Backend } from './backend.ts';
import { ask, passOn } from './hand-on.ts';
import type { PodConnectServices } from './pod-streams.ts';
import { schemeNamePort } from './scheme-name-port.ts';
import type { ServiceEndpoints } from './service-endpoints.ts';

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** `pods/proxy`: any request, to a port of the pod. */
export function podProxy({ nodes, readPod }: PodConnectServices): ConnectHandler {
  return async (request) => {
    const target = schemeNamePort(request.name);
    if (target === undefined) throw newBadRequest(`invalid pod request ${JSON.stringify(request.name)}`);
    const pod = await readPod(request.namespace, target.name);
    const declared = pod.spec?.containers?.flatMap(({ ports = [] }) => ports)[0]?.containerPort;
    const port = target.port === '' ? declared : portNumber(target.port);
    const host = pod.status?.podIP ?? '';
    if (!isProxyable(host)) throw newBadRequest('address not allowed');
    return proxied(request, { ...backendOf(host, port, target.isTls) }, nodes.network);
  };
}

/** `services/proxy`: any request, to one of the pods behind the service. */
export function serviceProxy(
  endpoints: ServiceEndpoints,
  { nodes }: Pick<PodConnectServices, 'nodes'>,
): ConnectHandler {
  return async (request) => {
    const target = schemeNamePort(request.name);
    if (target === undefined) throw newBadRequest(`invalid service request ${JSON.stringify(request.name)}`);
    const found = await endpoints.choose(request.namespace, target.name, target.port, request.context);
    if (found === undefined)
      throw newServiceUnavailable(`no endpoints available for service ${JSON.stringify(request.name)}`);
    return proxied(request, backendOf(found.host, found.port, target.isTls), nodes.network);
  };
}

/** `nodes/proxy`: any request, to the kubelet of the node or to another of its ports. */
export function nodeProxy({ nodes }: Pick<PodConnectServices, 'nodes'>): ConnectHandler {
  return async (request) => {
    const target = schemeNamePort(request.name);
    if (target === undefined) throw newBadRequest(`invalid node request ${JSON.stringify(request.name)}`);
    const kubelet = await nodes.kubeletOf(target.name);
    if (target.port === '' || target.port === String(kubelet.port))
      return proxied(request, kubelet, nodes.network);
    if (!isProxyable(kubelet.host)) throw newBadRequest('address not allowed');
    return proxied(request, backendOf(kubelet.host, portNumber(target.port), target.isTls), nodes.network);
  };
}

async function proxied(
  request: ConnectRequest,
  backend: Backend,
  network: PodConnectServices['nodes']['network'],
): Promise<ConnectAnswer> {
  const { rest, query, method, isUpgrade } = request;
  const asked = queryText(query);
  // A page that is the root of something has relative links, which need the slash.
  if (rest === '' && method === 'GET' && !isUpgrade)
    return {
      type: 'stream',
      status: 301,
      headers: { location: `${request.path}/${asked}` },
      body: { async *[Symbol.asyncIterator]() {} },
    };
  const path = `${rest === '' ? '/' : rest}${asked}`;
  return passOn(request, await ask(request, { network, backend, path }));
}

function backendOf(host: string, port: number | undefined, isTls: boolean): Backend {
  return {
    host,
    port: port ?? (isTls ? HTTPS_PORT : HTTP_PORT),
    tls: isTls ? { authority: undefined } : undefined,
  };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw newBadRequest(`invalid port ${JSON.stringify(text)}`);
  return port;
}

/** A proxy must not lead to the server's own machine: neither to loopback nor to link-local addresses. */
export function isProxyable(host: string): boolean {
  if (host === '') return false;
  if (host.includes(':')) return !/^(?:::1?|fe[89ab].*|ff.*|::ffff:.*)$/i.test(host);
  return !/^(?:0|127|169\.254|22[4-9]|2[3-5][0-9])\./.test(host);
}

function queryText(query: ConnectRequest['query']): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      for (const one of typeof value === 'string' ? [value] : value) asked.append(name, one);
  const text = asked.toString();
  return text === '' ? '' : `?${text}`;
}
