// How other API servers learn whom this cluster trusts: the data of the ConfigMap extension-apiserver-authentication.
import { REMOTE_EXTRA, REMOTE_GROUP, REMOTE_UID, REMOTE_USER } from '../access/remote-user.ts';

export interface TrustedAuthorities {
  /** PEM; signs the certificates of clients. Undefined: none is published. */
  readonly clientCa: string | undefined;
  /** Who may say, as a proxy, who asks. Undefined: nobody. */
  readonly frontProxy: { readonly ca: string; readonly allowedNames: readonly string[] } | undefined;
}

type Data = Readonly<Record<string, string>>;

/**
 * What the ConfigMap must say, with all that it says already: several servers of one cluster write it, and each adds
 * its own.
 */
export function authenticationData(existing: Data, { clientCa, frontProxy }: TrustedAuthorities): Data {
  const list = (key: string, values: readonly string[]): Data => ({
    [key]: JSON.stringify([...new Set([...listIn(existing[key]), ...values])]),
  });
  const bundle = (key: string, pem: string): Data => ({
    [key]: [...new Set([...certificatesIn(existing[key] ?? ''), ...certificatesIn(pem)])].join(''),
  });
  return {
    ...existing,
    ...(clientCa !== undefined && bundle('client-ca-file', clientCa)),
    ...(frontProxy !== undefined && {
      ...list('requestheader-username-headers', [headerName(REMOTE_USER)]),
      ...list('requestheader-uid-headers', [headerName(REMOTE_UID)]),
      ...list('requestheader-group-headers', [headerName(REMOTE_GROUP)]),
      ...list('requestheader-extra-headers-prefix', [headerName(REMOTE_EXTRA)]),
      ...bundle('requestheader-client-ca-file', frontProxy.ca),
      ...list('requestheader-allowed-names', frontProxy.allowedNames),
    }),
  };
}

/** `x-remote-user` as people write it: `X-Remote-User`. */
function headerName(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** What is no list of texts counts as none. */
function listIn(json: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function certificatesIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return found.map((one) => `${one}\n`);
}
