import { newBadRequest } from '@windlass/apimachinery';
import { isWebSocketRequest, subprotocolsOf } from '@windlass/streams';
import type { ConnectAnswer, ConnectHandler, ConnectRequest } from '../resource/connect.ts';
import type { BackendAnswer } from './backend.ts';
import { type CommandOptions, commandOptionsOf, commandQuery } from './connect-options.ts';
import { ask, passOn, requireUpgrade } from './hand-on.ts';
import type { NodeBackend, NodeConnections } from './node-connections.ts';
import { containerOf } from './pod-container.ts';
import type { PodReader } from './pod-reader.ts';
import { translateCommand } from './translate-command.ts';
import { isTunnelProtocol, tunnelPorts } from './tunnel-ports.ts';

export interface PodConnectServices {
  readonly nodes: NodeConnections;
  readonly readPod: PodReader;
}

const V5 = 'v5.channel.k8s.io';

/**
 * `pods/exec` and `pods/attach`. A kubelet that speaks the newest WebSocket protocol gets the client's request as it
 * is. Older ones (before 1.36) know no end of stdin there, so that it is translated to SPDY, which every kubelet speaks.
 */
export function podCommand(action: 'exec' | 'attach', services: PodConnectServices): ConnectHandler {
  return async (request) => {
    const options = commandOptionsOf(request.options);
    const pod = await services.readPod(request.namespace, request.name);
    // A container that is not there is told even where the pod has no node yet.
    const container = containerOf(pod, options.container);
    const kubelet = await kubeletOf(request, pod, services);
    requireUpgrade(request);
    const { namespace, name } = request;
    const path = `/${action}/${namespace}/${name}/${container}?${commandQuery(options)}`;
    const isV5 = isWebSocketRequest(request.headers) && subprotocolsOf(request.headers).includes(V5);
    if (isV5 && !kubelet.speaksWebSocket) return translated(request, { kubelet, path, options }, services);
    const answer = await ask(request, { network: services.nodes.network, backend: kubelet, path });
    return passOn(request, answer);
  };
}

/** `pods/portforward`. A tunnel over WebSocket carries SPDY, which older kubelets get without the tunnel. */
export function podPortForward(services: PodConnectServices): ConnectHandler {
  return async (request) => {
    const pod = await services.readPod(request.namespace, request.name);
    const kubelet = await kubeletOf(request, pod, services);
    requireUpgrade(request);
    const { namespace, name, headers } = request;
    const { ports } = request.options ?? {};
    const query = Array.isArray(ports) && ports.length > 0 ? `?port=${ports.join(',')}` : '';
    const path = `/portForward/${namespace}/${name}${query}`;
    const isTunnel = isWebSocketRequest(headers) && subprotocolsOf(headers).some(isTunnelProtocol);
    const { network } = services.nodes;
    if (isTunnel && !kubelet.speaksWebSocket) return tunnelPorts(request, { network, kubelet, path });
    return passOn(request, await ask(request, { network, backend: kubelet, path }));
  };
}

async function kubeletOf(
  { name }: ConnectRequest,
  { spec }: Awaited<ReturnType<PodReader>>,
  { nodes }: PodConnectServices,
): Promise<NodeBackend> {
  const { nodeName = '' } = spec ?? {};
  if (nodeName === '') throw newBadRequest(`pod ${name} does not have a host assigned`);
  return nodes.kubeletOf(nodeName);
}

async function translated(
  request: ConnectRequest,
  { kubelet, path, options }: { kubelet: NodeBackend; path: string; options: CommandOptions },
  { nodes }: PodConnectServices,
): Promise<ConnectAnswer> {
  const answer: BackendAnswer = await ask(request, {
    network: nodes.network,
    backend: kubelet,
    path,
    method: 'POST',
    headers: {
      host: `${kubelet.host}:${kubelet.port}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    },
  });
  return answer.type === 'response'
    ? passOn(request, answer)
    : translateCommand(request, answer.socket, options);
}
