import type { PathHandler } from '../exchange/path-handler.ts';
import type { Catalog } from '../resource/catalog.ts';

/** `/`: what there is, for people who look around. */
export function indexPath(catalog: Catalog): PathHandler {
  return (request) => {
    if (request.path !== '/' && request.path !== '') return undefined;
    const paths = new Set([
      '/.well-known/openid-configuration',
      '/api',
      '/api/v1',
      '/apis',
      '/healthz',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/readyz',
      '/version',
    ]);
    for (const { group, version } of catalog.all()) {
      if (group === '') continue;
      paths.add(`/apis/${group}`);
      paths.add(`/apis/${group}/${version}`);
    }
    return { type: 'object', status: 200, object: { paths: [...paths].toSorted() } };
  };
}
