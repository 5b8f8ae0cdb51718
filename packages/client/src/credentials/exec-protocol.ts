// The ExecCredential exchange with a credential plugin: what it is told in KUBERNETES_EXEC_INFO, and
// what it prints.
import type { ClientConfig, ExecConfig } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { reveal } from '../secret.ts';

export interface ExecResult {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

/** The value of KUBERNETES_EXEC_INFO. */
export function execInfo(
  exec: ExecConfig,
  config: ClientConfig,
  ca: string | undefined,
  interactive: boolean,
): string {
  const cluster = {
    server: config.server,
    'tls-server-name': config.tls?.serverName,
    'insecure-skip-tls-verify': config.tls?.insecureSkipVerify,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    'proxy-url': config.proxyUrl === undefined ? undefined : reveal(config.proxyUrl),
    'disable-compression': config.disableCompression,
    config: exec.clusterConfig,
  };
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { interactive, ...(exec.provideClusterInfo === true ? { cluster } : {}) },
  });
}

/** Reads what a plugin printed. Errors say what is wrong with it and never quote it. */
export function parseExecOutput(exec: ExecConfig, output: string): ExecResult {
  const bad = (problem: string): CredentialError =>
    new CredentialError(`the credential plugin ${exec.command} ${problem}`, { code: 'EXEC_BAD_OUTPUT' });
  const answer = toObject(parseJson(output));
  if (answer === undefined) throw bad('printed no JSON object');
  if (answer['kind'] !== 'ExecCredential') throw bad('printed an object whose kind is not ExecCredential');
  if (answer['apiVersion'] !== exec.apiVersion) {
    throw bad(
      `answered in ${describeVersion(answer['apiVersion'])}, but the kubeconfig asks for ${exec.apiVersion}`,
    );
  }
  const status = toObject(answer['status']);
  if (status === undefined) throw bad('printed no status');
  const token = text(status['token']);
  const cert = text(status['clientCertificateData']);
  const key = text(status['clientKeyData']);
  if (token === undefined && cert === undefined && key === undefined) {
    throw bad('printed neither a token nor a client certificate');
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw bad('printed only one of clientCertificateData and clientKeyData');
  }
  const expiry = text(status['expirationTimestamp']);
  const expiresAt = expiry === undefined ? undefined : Date.parse(expiry);
  if (Number.isNaN(expiresAt)) throw bad('printed an expirationTimestamp that is no time');
  return {
    ...(token === undefined ? {} : { token }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function parseJson(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    // The parser's message quotes the text, which may hold a token.
    return undefined;
  }
}

function toObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // An object that is no array has string keys.
  return value as Record<string, unknown>;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function describeVersion(value: unknown): string {
  return typeof value === 'string' ? value : 'no apiVersion';
}
