// A container image out of files of this machine, in the form that runtimes import: no registry and no builder.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { encodeTarHeader, padded, type TarEntry } from '@windlass/streams/tar';

/** What is in an image, besides its programs. */
export interface ImageFile {
  readonly path: string;
  readonly mode: number;
  readonly content: Buffer | string;
}

export interface ImageOptions {
  /** @example 'windlass.test/busybox:1' */
  readonly name: string;
  readonly files: readonly ImageFile[];
  /** Of each, where it leads. @default none */
  readonly links?: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
}

/** Two blocks of zeros. */
const END = Buffer.alloc(1024);

/** The archive of an OCI image layout. */
export function imageArchive({ name, files, links = {}, entrypoint }: ImageOptions): Buffer {
  const layer = archive([
    ...['bin', 'tmp', 'www', 'data'].map((folder) => directory(folder)),
    ...files.map(({ path, mode, content }) => file(path, Buffer.from(content), mode)),
    ...Object.entries(links).map(([path, target]) => link(path, target)),
  ]);
  const blobs = new Map<string, Buffer>();
  const blob = (mediaType: string, content: Buffer): object => {
    const digest = createHash('sha256').update(content).digest('hex');
    blobs.set(`blobs/sha256/${digest}`, content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const layerHash = createHash('sha256').update(layer).digest('hex');
  const config = blob(
    'application/vnd.oci.image.config.v1+json',
    json({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: { Entrypoint: entrypoint, Env: ['PATH=/bin'] },
      rootfs: { type: 'layers', diff_ids: [`sha256:${layerHash}`] },
    }),
  );
  const layers = [blob('application/vnd.oci.image.layer.v1.tar', layer)];
  const manifest = blob(
    'application/vnd.oci.image.manifest.v1+json',
    json({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', config, layers }),
  );
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': name };
  return archive([
    file('oci-layout', json({ imageLayoutVersion: '1.0.0' })),
    file('index.json', json({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] })),
    ...[...blobs].map(([path, content]) => file(path, content)),
  ]);
}

/** Static busybox under the names of its programs; it runs whatever it is told to. */
export async function busyboxImage(
  name: string,
  busybox: string,
  programs: readonly string[],
): Promise<Buffer> {
  return imageArchive({
    name,
    files: [
      { path: 'bin/busybox', mode: 0o755, content: await readFile(busybox) },
      { path: 'www/index.html', mode: 0o644, content: 'hello\n' },
    ],
    links: Object.fromEntries(programs.map((program) => [`bin/${program}`, 'busybox'])),
    entrypoint: ['/bin/sleep', '1000000000'],
  });
}

interface Member {
  readonly entry: TarEntry;
  readonly content: Buffer;
}

function entry(path: string, type: TarEntry['type'], more: Partial<TarEntry>): TarEntry {
  return { path, type, size: 0, mode: 0o755, modifiedAt: 0, target: '', ...more };
}

const EMPTY = Buffer.alloc(0);

function file(path: string, content: Buffer, mode = 0o644): Member {
  return { entry: entry(path, 'file', { size: content.length, mode }), content };
}

function directory(path: string): Member {
  return { entry: entry(`${path}/`, 'directory', {}), content: EMPTY };
}

function link(path: string, target: string): Member {
  return { entry: entry(path, 'link', { target, mode: 0o777 }), content: EMPTY };
}

function archive(members: readonly Member[]): Buffer {
  return Buffer.concat([
    ...members.flatMap(({ entry: header, content }) => [encodeTarHeader(header), padded(content)]),
    END,
  ]);
}
