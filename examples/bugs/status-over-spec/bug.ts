// The kind has no status subresource, and the operator writes the whole object. It takes a conflict for a nuisance and
// repeats the write with the newest version: the user's change of the spec in between is undone. The nuisance is
// everywhere (Azure/ARO-RP#2717 removes such retries from all its controllers: run again with what is there now).
import { deepCopy, isConflict } from '@windlass/apimachinery';
import type { Manager } from '@windlass/runtime';
import { defineSimulation } from '@windlass/simulation';
import { App, appDefinition } from '../kinds.ts';
import { scenario } from './scenario.ts';

function setUp(manager: Manager): void {
  const apps = manager.objects(App);

  manager
    .controller('apps')
    .for(App)
    .reconcile(async (key, { signal }) => {
      const app = await apps.find(key, { signal });
      if (app === undefined || app.status?.version === app.spec.version) return;
      const { name, namespace } = app.metadata;
      const draft = { ...deepCopy(app), status: { version: app.spec.version ?? '' } };
      try {
        await apps.update(draft, { signal });
      } catch (error) {
        if (!isConflict(error)) throw error;
        const { metadata } = await apps.live(namespace).get(name, { signal });
        await apps.update({ ...draft, metadata }, { signal });
      }
    });
}

const versions = appDefinition.spec.versions.map((version) => ({ ...version, subresources: {} }));
const withoutSubresource = { ...appDefinition, spec: { ...appDefinition.spec, versions } };

export default defineSimulation('status-over-spec', scenario(withoutSubresource, setUp));
