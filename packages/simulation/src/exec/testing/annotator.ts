// A small operator with a webhook, as a command: `annotator.ts FOLDER PORT` gives each new ConfigMap the annotation that
// FOLDER/settings.json says, and watches ConfigMaps.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { loadConfig } from '@windlass/client';
import { Manager } from '@windlass/runtime';

const [folder = '', port = ''] = process.argv.slice(2);
const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
// The test has written it.
const { note } = JSON.parse(file('settings.json')) as { readonly note: string };

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // An API server asks nothing else.
  const {
    apiVersion,
    kind,
    request: asked,
  } = JSON.parse(await text(request)) as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly request: { readonly uid: string };
  };
  const { pathname } = new URL(request.url ?? '', 'https://program');
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { [note]: pathname } }];
  const allowed = {
    uid: asked.uid,
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion, kind, response: allowed }));
}

const tls = { cert: file('webhooks/tls.crt'), key: file('webhooks/tls.key') };
createServer(tls, (request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');

const manager = new Manager({ config: await loadConfig() });
manager
  .controller('annotator')
  .for(ConfigMap)
  .reconcile(async () => {});
await manager.run(new AbortController().signal);
