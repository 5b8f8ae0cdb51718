import type { Cached } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Service } from '@windlass/apimachinery/api/core/v1';
import { addDependents, type Child, type Controller, child, type Manager } from '@windlass/runtime';
import { Website } from './website.ts';

/** Each Website has a page, then servers that show it, and an address if it is public. */
export function registerWebsiteController(manager: Manager): Controller {
  return addDependents(manager, Website, {
    owns: [ConfigMap, Deployment, Service],
    children: (site) => {
      const page = pageOf(site);
      return [page, serversOf(site, page), site.spec.isPublic && addressOf(site)];
    },
    status: (site, children) => ({
      observedGeneration: site.metadata.generation,
      availableReplicas: children.find(Deployment, site.metadata.name)?.status?.availableReplicas ?? 0,
    }),
  });
}

function pageOf({ metadata, spec }: Cached<Website>): Child {
  return child(ConfigMap, {
    metadata: { name: `${metadata.name}-page` },
    data: { 'index.html': spec.text },
  });
}

function serversOf({ metadata, spec }: Cached<Website>, page: Child): Child {
  const labels = { website: metadata.name };
  const volumes = [{ name: 'page', configMap: { name: `${metadata.name}-page` } }];
  const volumeMounts = [{ name: 'page', mountPath: '/usr/share/nginx/html' }];
  return child(
    Deployment,
    {
      metadata: { name: metadata.name },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { volumes, containers: [{ name: 'nginx', image: 'nginx', volumeMounts }] },
        },
      },
    },
    { after: [page] },
  );
}

function addressOf({ metadata }: Cached<Website>): Child {
  return child(Service, {
    metadata: { name: metadata.name },
    spec: { selector: { website: metadata.name }, ports: [{ port: 80 }] },
  });
}
