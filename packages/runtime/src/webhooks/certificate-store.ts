import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlreadyExists, isConflict, isNotFound } from '@windlass/apimachinery';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import { CertificateError, type CertificateSet } from './certificate-set.ts';

/** Where certificates are kept, so that a restart and other replicas find them again. */
export interface CertificateStore {
  /** For messages. */
  readonly name: string;
  /** False when somebody else makes them: then they are only read. */
  readonly isWritable: boolean;
  load(signal?: AbortSignal): Promise<CertificateSet | undefined>;
  /** False when another replica wrote first: load again. */
  save(set: CertificateSet, signal?: AbortSignal): Promise<boolean>;
}

/** For one replica, and for tests. */
export function memoryStore(): CertificateStore {
  let kept: CertificateSet | undefined;
  return {
    name: 'memory',
    isWritable: true,
    load: () => Promise.resolve(kept),
    save: (set) => {
      kept = set;
      return Promise.resolve(true);
    },
  };
}

/** `tls.crt`, `tls.key` and perhaps `ca.crt` in a folder, as cert-manager and Secret volumes put them there. */
export function directoryStore(directory: string): CertificateStore {
  const read = async (file: string): Promise<string> => {
    try {
      return await readFile(join(directory, file), 'utf8');
    } catch (error) {
      throw new CertificateError(directory, `${file} cannot be read`, error);
    }
  };
  return {
    name: directory,
    isWritable: false,
    async load() {
      // One after the other: when both are missing, the error always names the same one.
      const cert = await read('tls.crt');
      const key = await read('tls.key');
      return { server: { cert, key }, caBundle: await read('ca.crt').catch(() => '') };
    },
    save: () => Promise.resolve(false),
  };
}

const FIELDS = ['ca.crt', 'authority.crt', 'authority.key', 'tls.crt', 'tls.key'] as const;

/** A Secret that all replicas share. The first one to write wins. */
export function secretStore(client: Client, namespace: string, name: string): CertificateStore {
  const secrets = client.resource(Secret).namespace(namespace);
  let known: Secret | undefined;
  const decode = (secret: Secret, field: string): string =>
    Buffer.from(secret.data?.[field] ?? '', 'base64').toString('utf8');
  return {
    name: `secret ${namespace}/${name}`,
    isWritable: true,
    async load(signal) {
      try {
        known = await secrets.get(name, signal === undefined ? {} : { signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        known = undefined;
      }
      if (known === undefined) return undefined;
      const secret = known;
      const [caBundle = '', caCert = '', caKey = '', cert = '', key = ''] = FIELDS.map((field) =>
        decode(secret, field),
      );
      // A Secret that was made empty is one to be filled.
      if (cert === '' || key === '' || caCert === '') return undefined;
      return { caBundle, authority: { cert: caCert, key: caKey }, server: { cert, key } };
    },
    async save({ caBundle, authority, server }, signal) {
      const values = [caBundle, authority?.cert ?? '', authority?.key ?? '', server.cert, server.key];
      const data = Object.fromEntries(
        FIELDS.map((field, index) => [field, Buffer.from(values[index] ?? '').toString('base64')]),
      );
      const options = signal === undefined ? {} : { signal };
      try {
        known =
          known === undefined
            ? await secrets.create(
                { metadata: { name, namespace }, type: 'kubernetes.io/tls', data },
                options,
              )
            : await secrets.replace({ ...known, data: { ...known.data, ...data } }, options);
        return true;
      } catch (error) {
        if (isConflict(error) || isAlreadyExists(error)) return false;
        throw error;
      }
    },
  };
}
