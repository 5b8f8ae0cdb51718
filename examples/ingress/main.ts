import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExample } from '../run.ts';
import { registerIngressController } from './controller.ts';
import { realNginx } from './nginx.ts';

const listen = process.env['INGRESS_LISTEN'] ?? '127.0.0.1:8080';
const program = process.env['NGINX'] ?? 'nginx';
await runExample('ingress', async (manager) => {
  const folder = await mkdtemp(join(tmpdir(), 'ingress-'));
  return registerIngressController(manager, realNginx({ program, folder }), { listen, folder });
});
