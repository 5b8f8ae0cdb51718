import type { ConnectForm } from '../resource/connect.ts';
import type { Store } from '../storage/store.ts';
import { attachOptions, execOptions, portForwardOptions, proxyOptions } from './connect-options.ts';
import type { NodeConnections } from './node-connections.ts';
import { podLog } from './pod-log.ts';
import { podReader } from './pod-reader.ts';
import { podCommand, podPortForward } from './pod-streams.ts';
import { nodeProxy, podProxy, serviceProxy } from './proxies.ts';
import { serviceEndpoints } from './service-endpoints.ts';

/** The subresources that lead to nodes and pods. */
export interface ConnectForms {
  readonly pods: Readonly<Record<'attach' | 'exec' | 'log' | 'portforward' | 'proxy', ConnectForm>>;
  readonly services: Readonly<Record<'proxy', ConnectForm>>;
  readonly nodes: Readonly<Record<'proxy', ConnectForm>>;
}

export function connectForms(store: Store, nodes: NodeConnections): ConnectForms {
  const services = { nodes, readPod: podReader(store) };
  // Whoever may run something in a pod must be allowed to create, also where a browser can only GET.
  const stream = { type: 'connect', takesPath: false, alsoNeeds: 'create' } as const;
  const proxy = (kind: string): Omit<ConnectForm, 'handle'> => ({
    type: 'connect',
    takesPath: true,
    optionsOf: proxyOptions(kind),
  });
  return {
    pods: {
      attach: { ...stream, optionsOf: attachOptions, handle: podCommand('attach', services) },
      exec: { ...stream, optionsOf: execOptions, handle: podCommand('exec', services) },
      log: { type: 'connect', takesPath: false, optionsOf: undefined, handle: podLog(services) },
      portforward: { ...stream, optionsOf: portForwardOptions, handle: podPortForward(services) },
      proxy: { ...proxy('PodProxyOptions'), handle: podProxy(services) },
    },
    services: {
      proxy: { ...proxy('ServiceProxyOptions'), handle: serviceProxy(serviceEndpoints(store), services) },
    },
    nodes: { proxy: { ...proxy('NodeProxyOptions'), handle: nodeProxy(services) } },
  };
}
