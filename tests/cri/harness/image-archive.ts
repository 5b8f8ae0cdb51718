// Images made on the spot from one static program, as `docker save` writes them: nothing is fetched.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { encodeTarHeader, padded, type TarEntry } from '@windlass/streams/tar';

export interface ImageSpec {
  /** `windlass.test/busybox:1` */
  readonly name: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: readonly string[];
  readonly user?: string;
  readonly workingDirectory?: string;
}

/** The names by which the program is to be found in `/bin`. */
const PROGRAMS =
  'sh sleep cat echo ls id env hostname nc httpd wget true false touch date grep head tail mkdir kill ps mount ip dd tr stat tar sed wc seq test nslookup rm cp cut awk'.split(
    ' ',
  );
const END = Buffer.alloc(1024);

/** One image with busybox in it. */
export async function writeImage(path: string, busybox: string, spec: ImageSpec): Promise<void> {
  const layer = tar([
    ...['bin', 'etc', 'tmp', 'dev', 'proc', 'sys', 'home', 'var', 'var/run'].map((name) =>
      entry(`${name}/`, 'directory', name === 'tmp' ? 0o1777 : 0o755),
    ),
    [entry('bin/busybox', 'file', 0o755).header, await readFile(busybox)] as const,
    ...PROGRAMS.map((name) => entry(`bin/${name}`, 'link', 0o777, 'busybox')),
    text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/home:/bin/sh\n'),
    text('etc/group', 'root:x:0:\nnobody:x:65534:\n'),
  ]);
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config: {
        Env: ['PATH=/bin', ...(spec.environment ?? [])],
        Cmd: spec.command,
        Entrypoint: spec.entrypoint,
        User: spec.user ?? '',
        WorkingDir: spec.workingDirectory ?? '',
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
      history: [{ created_by: spec.name }],
    }),
  );
  const configName = `${sha256(config)}.json`;
  const manifest = [{ Config: configName, RepoTags: [spec.name], Layers: ['layer.tar'] }];
  await writeFile(
    path,
    tar([
      [entry(configName, 'file', 0o644).header, config],
      [entry('layer.tar', 'file', 0o644).header, layer],
      text('manifest.json', JSON.stringify(manifest)),
    ]),
  );
}

type Member = readonly [header: TarEntry, content: Buffer];
interface Empty {
  readonly header: TarEntry;
}

function entry(path: string, type: TarEntry['type'], mode: number, target = ''): Empty {
  return { header: { path, type, mode, target, size: 0, modifiedAt: 0 } };
}

function text(path: string, content: string): Member {
  return [entry(path, 'file', 0o644).header, Buffer.from(content)];
}

function tar(members: readonly (Member | Empty)[]): Buffer {
  return Buffer.concat([
    ...members.flatMap((member) => {
      const [header, content] = 'header' in member ? [member.header, Buffer.alloc(0)] : member;
      return [encodeTarHeader({ ...header, size: content.byteLength }), padded(content)];
    }),
    END,
  ]);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
