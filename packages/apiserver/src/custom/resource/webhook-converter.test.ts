// Conversion by a webhook that is a service of the cluster, over real HTTPS.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issueCertificate, realClock, silentLogger, systemRandom } from '@windlass/base';
import type { ServiceResolver } from '../../exchange/service-resolver.ts';
import type { StoredDefinition } from '../definition/definition-object.ts';
import { webhookConverter } from './webhook-converter.ts';

const issuer = { clock: realClock, random: systemRandom };
const hosts = ['convert.hooks.svc'];
const pair = issueCertificate({ commonName: 'convert', hosts, usage: 'server', validDays: 1 }, issuer);
const WIDE = 3546343826724305832n;

let server: Server;
let port: number;
const asked: string[] = [];
before(async () => {
  server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      asked.push(`${request.url} ${text.includes(`"size":${WIDE}`)}`);
      // As a program in Go answers: all digits are kept.
      const objects =
        /"objects":(\[.*\])/.exec(text)?.[1]?.replaceAll('example.com/v1', 'example.com/v2') ?? '';
      const uid = /"uid":"([^"]+)"/.exec(text)?.[1];
      response.end(
        `{"response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":${objects}}}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const definition = (): StoredDefinition =>
  // What else a definition has, the converter does not look at.
  ({
    metadata: { name: 'widgets.example.com', uid: 'd' },
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: {
            caBundle: Buffer.from(pair.cert).toString('base64'),
            service: { namespace: 'hooks', name: 'convert', path: '//convert' },
          },
        },
      },
    },
  }) as unknown as StoredDefinition;
const object = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'default', uid: 'u' },
  spec: { size: WIDE },
};
const converter = (resolve: ServiceResolver) =>
  webhookConverter(definition(), { clock: realClock, logger: silentLogger, resolve });

describe('a conversion webhook', () => {
  it('is found by its service, called at its path, and keeps all digits', async () => {
    const places: unknown[] = [];
    const resolve: ServiceResolver = async (...place) => {
      places.push(place);
      return { host: '127.0.0.1', port };
    };
    const converted = await converter(resolve).convert(object, 'example.com/v2');
    assert.deepEqual(converted, { ...object, apiVersion: 'example.com/v2' });
    assert.deepEqual(places, [['hooks', 'convert', 443]]);
    assert.deepEqual(asked, ['/convert true']);
  });

  it('that has no address is named as clients know it', async () => {
    await assert.rejects(converter(async () => undefined).convert(object, 'example.com/v2'), {
      message:
        /conversion webhook for example.com\/v1, Kind=Widget failed: Post "https:\/\/convert.hooks.svc\/convert": service "hooks\/convert" has no address on port 443/,
    });
  });
});
