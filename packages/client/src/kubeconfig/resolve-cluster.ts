import type { ClientConfig, PemSource, TlsConfig } from '../config.ts';
import { redactUrl, Secret } from '../secret.ts';
import { type Complain, complainAbout } from './complain.ts';
import { toServerUrl } from './server-url.ts';
import type { ClusterEntry } from './types.ts';

export function resolveCluster(
  cluster: ClusterEntry,
  context: string,
): Pick<ClientConfig, 'server' | 'proxyUrl' | 'disableCompression'> & { readonly tls: TlsConfig } {
  const complain = complainAbout(cluster, context);
  if (cluster.server === undefined) {
    throw complain('server', 'is missing; set it to the URL of the API server');
  }
  const ca = pemSource(
    'certificate-authority',
    cluster.certificateAuthorityData,
    cluster.certificateAuthority,
    complain,
  );
  const insecure = cluster.insecureSkipTlsVerify === true;
  if (insecure && ca !== undefined) {
    throw complain(
      'insecure-skip-tls-verify',
      'contradicts certificate-authority: remove the one or the other',
    );
  }
  const server = toServerUrl(cluster.server, insecure || ca !== undefined);
  if (server === undefined) {
    throw complain('server', `must be an http or https URL, but it is "${redactUrl(cluster.server)}"`);
  }
  return {
    server,
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cluster.tlsServerName === undefined ? {} : { serverName: cluster.tlsServerName }),
      ...(insecure ? { insecureSkipVerify: true } : {}),
    },
    ...(cluster.proxyUrl === undefined ? {} : { proxyUrl: checkProxy(cluster.proxyUrl, complain) }),
    ...(cluster.disableCompression === true ? { disableCompression: true } : {}),
  };
}

/** PEM inline (base64) or by path. Both at once is refused: nobody can say which was meant. */
export function pemSource(
  field: string,
  data: Secret | undefined,
  file: string | undefined,
  complain: Complain,
): PemSource | undefined {
  if (data !== undefined && file !== undefined) {
    throw complain(`${field}-data`, `stands beside ${field}: remove the one or the other`);
  }
  if (file !== undefined) return { file };
  if (data === undefined) return undefined;
  const encoded = data.reveal().replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) {
    throw complain(`${field}-data`, 'must be base64');
  }
  const pem = Buffer.from(encoded, 'base64').toString('latin1');
  if (!pem.includes('-----BEGIN ')) throw complain(`${field}-data`, 'holds no PEM once decoded from base64');
  return { data: new Secret(pem) };
}

function checkProxy(proxyUrl: Secret, complain: Complain): Secret {
  const text = proxyUrl.reveal();
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw complain('proxy-url', `must be an http or https URL, but it is "${redactUrl(text)}"`);
  }
  return proxyUrl;
}
