// What cannot be undone is decided by the API server, not by a cache: the janitor asks it, only when the cache says that
// an app is gone, which is rare.
import { isNotFound } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);
  const data = manager.objects(ConfigMap);

  const isThere = async (namespace: string, name: string, signal: AbortSignal): Promise<boolean> => {
    if ((await apps.find(`${namespace}/${name}`, { signal })) !== undefined) return true;
    try {
      await apps.live(namespace).get(name, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };

  manager
    .controller('janitor')
    .for(ConfigMap)
    .watches(App, ({ metadata }) => [`${metadata.namespace}/${metadata.name}-data`])
    .reconcile(async (key, { signal }) => {
      const kept = await data.find(key, { signal });
      const app = kept?.metadata.labels?.['app'];
      if (kept === undefined || app === undefined) return;
      const { namespace, uid } = kept.metadata;
      if (await isThere(namespace, app, signal)) return;
      await data.delete(key, { preconditions: { uid }, signal });
    });
}

export default defineSimulation('stale-cache-fixed', scenario(setUp));
