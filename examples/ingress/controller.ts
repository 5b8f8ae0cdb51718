import { Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { Ingress } from '@windlass/apimachinery/api/networking/v1';
import type { Controller, Manager } from '@windlass/runtime';
import type { Nginx } from './nginx.ts';
import { type NginxSettings, nginxConfig } from './nginx-config.ts';

/** The whole configuration is one thing, so there is one key: whatever happens, it is made anew. */
const EVERYTHING = 'everything';

/** Keeps nginx's configuration as Ingresses, Services and their endpoints say. */
export function registerIngressController(
  manager: Manager,
  nginx: Nginx,
  settings: NginxSettings,
): Controller {
  const ingresses = manager.objects(Ingress);
  const services = manager.objects(Service);
  const slices = manager.objects(EndpointSlice);
  const toEverything = (): string[] => [EVERYTHING];
  let loaded = '';
  return manager
    .controller('ingress')
    .watches(Ingress, toEverything)
    .watches(Service, toEverything)
    .watches(EndpointSlice, toEverything)
    .reconcile(async (_, { signal, logger, reasons }) => {
      const view = {
        ingresses: await ingresses.list({ signal }),
        services: await services.list({ signal }),
        slices: await slices.list({ signal }),
      };
      const config = nginxConfig(view, settings);
      // Most events change nothing that nginx needs to know.
      if (config === loaded) return;
      await nginx.load(config);
      loaded = config;
      logger.info('nginx has a new configuration', { why: reasons.kept });
    });
}
