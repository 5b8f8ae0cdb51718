import { request as httpsRequest } from 'node:https';
import type { DeepReadonly } from '@windlass/apimachinery';
import type { WebhookClientConfig } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type Clock, withDeadline } from '@windlass/base';

/** Where a service of the cluster is reached; undefined when it has no address. */
export type ServiceResolver = (
  namespace: string,
  name: string,
  port: number,
) => Promise<{ readonly host: string; readonly port: number } | undefined>;

export interface WebhookCall {
  readonly config: DeepReadonly<WebhookClientConfig>;
  readonly timeoutSeconds: number;
  readonly body: object;
  readonly clock: Clock;
  readonly resolve: ServiceResolver;
  readonly signal: AbortSignal | undefined;
}

/** A webhook that answers more than this is not answering a question. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Asks over HTTPS, verified by the configuration's own authority, and answers the decoded JSON. */
export async function callWebhook(call: WebhookCall): Promise<unknown> {
  const { config, timeoutSeconds, clock } = call;
  const target = await targetOf(call);
  const bytes = Buffer.from(JSON.stringify(call.body));
  using deadline = withDeadline(clock, timeoutSeconds * 1000, 'the webhook', call.signal);
  const text = await send(target, config.caBundle, bytes, deadline.signal);
  return JSON.parse(text);
}

interface Target {
  readonly url: URL;
  /** The name that the certificate must be for. */
  readonly serverName: string;
}

async function targetOf({ config, timeoutSeconds, resolve }: WebhookCall): Promise<Target> {
  const timeout = `timeout=${timeoutSeconds}s`;
  if (config.url !== undefined) {
    const url = new URL(config.url);
    url.search = url.search === '' ? `?${timeout}` : `${url.search}&${timeout}`;
    return { url, serverName: url.hostname };
  }
  const { namespace = '', name = '', path = '', port = 443 } = config.service ?? {};
  const found = await resolve(namespace, name, port);
  if (found === undefined) throw new Error(`service "${namespace}/${name}" has no address on port ${port}`);
  const host = found.host.includes(':') ? `[${found.host}]` : found.host;
  const url = new URL(
    `https://${host}:${found.port}${path.startsWith('/') || path === '' ? path : `/${path}`}?${timeout}`,
  );
  return { url, serverName: `${name}.${namespace}.svc` };
}

function send(
  { url, serverName }: Target,
  caBundle: string | undefined,
  body: Buffer,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const ca =
      caBundle === undefined || caBundle === ''
        ? undefined
        : Buffer.from(caBundle, 'base64').toString('utf8');
    const call = httpsRequest(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': body.length,
        },
        ...(ca !== undefined && { ca }),
        // Addresses are no names for SNI; certificates are then checked against the address.
        ...(/^[\d.]+$|:/.test(serverName) ? {} : { servername: serverName }),
        signal,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) call.destroy(new Error('the answer is too large'));
          chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const code = response.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve(Buffer.concat(chunks).toString('utf8'));
          else reject(new Error(`the server answered ${code}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
