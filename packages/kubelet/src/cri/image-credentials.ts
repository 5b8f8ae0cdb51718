// Which names and passwords a registry is told, from the pull secrets of a pod.
import type { Cached } from '@windlass/apimachinery';
import type { Secret } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import { fullImageName } from '../runtime/image-name.ts';
import type { AuthConfig } from './generated/cri.ts';

interface Entry {
  readonly server: string;
  readonly auth: MessageInit<AuthConfig>;
}

/** In the order of the secrets; for one secret the longest address that fits first. */
export function credentialsFor(
  image: string,
  secrets: readonly Pick<Cached<Secret>, 'type' | 'data'>[],
): MessageInit<AuthConfig>[] {
  const full = fullImageName(image);
  return secrets.flatMap((secret) =>
    entriesOf(secret)
      .filter(({ server }) => isFor(server, full))
      .toSorted((a, b) => b.server.length - a.server.length)
      .map(({ auth }) => auth),
  );
}

function entriesOf({ data = {} }: Pick<Cached<Secret>, 'data'>): Entry[] {
  const whole = data['.dockerconfigjson'];
  const old = data['.dockercfg'];
  const parsed = parse(whole ?? old);
  const auths = whole === undefined ? parsed : (parsed?.['auths'] ?? {});
  if (!isRecord(auths)) return [];
  return Object.entries(auths).flatMap(([server, entry]) => {
    const auth = isRecord(entry) ? authOf(server, entry) : undefined;
    return auth === undefined ? [] : [{ server: withoutScheme(server), auth }];
  });
}

function authOf(
  server: string,
  entry: Readonly<Record<string, unknown>>,
): MessageInit<AuthConfig> | undefined {
  const text = (name: string): string => (typeof entry[name] === 'string' ? entry[name] : '');
  const identityToken = text('identitytoken');
  const both = Buffer.from(text('auth'), 'base64').toString('utf8');
  const colon = both.indexOf(':');
  const username = text('username') || (colon === -1 ? '' : both.slice(0, colon));
  const password = text('password') || (colon === -1 ? '' : both.slice(colon + 1));
  if (username === '' && identityToken === '') return undefined;
  return { username, password, identityToken, serverAddress: server };
}

/** `https://index.docker.io/v1/` is how Docker writes its own registry. */
function withoutScheme(server: string): string {
  const plain = server
    .replace(/^https?:\/\//, '')
    .replace(/\/v[12]\/?$/, '')
    .replace(/\/$/, '');
  return plain === 'index.docker.io' ? 'docker.io' : plain;
}

/** The host's parts may be patterns, as in `*.example.com`; the path must begin the image's. */
function isFor(server: string, image: string): boolean {
  const [host = '', ...path] = server.split('/');
  const [imageHost = '', ...imagePath] = image.split('/');
  const parts = host.split('.');
  const imageParts = imageHost.split('.');
  if (parts.length !== imageParts.length) return false;
  const matches = parts.every((part, index) => part === '*' || part === imageParts[index]);
  return matches && path.every((part, index) => part === imagePath[index]);
}

function parse(base64: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (base64 === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
