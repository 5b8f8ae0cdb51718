// The software bill of materials of the published package, in the format CycloneDX 1.6: what it contains of our own
// packages and of others, and what npm installs with it. It says nothing of when and where it was built, so that the
// same sources give the same bytes.
import { readFile, writeFile } from 'node:fs/promises';
import { type LockedPackages, nameOf, resolve, runtimeOf } from '../supply/locked-packages.ts';
import { inRoot } from './paths.ts';

export const BILL_OF_MATERIALS = 'sbom.cdx.json';

interface Component {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly scope?: 'required';
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly licenses: readonly (
    | { readonly license: { readonly id: string } }
    | { readonly expression: string }
  )[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly components?: readonly Component[];
}

export interface BillOfMaterials {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Contents {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly packages: LockedPackages;
  /** The modules that the bundle is made of, relative to the repository. */
  readonly modules: readonly string[];
}

export function billOfMaterials({ name, version, license, packages, modules }: Contents): BillOfMaterials {
  const bundled = new Set(modules.map(packageOf));
  const others = [...bundled].filter((path) => path.includes('node_modules/'));
  const paths = [...new Set([...runtimeOf(packages), ...others])].sort();
  const own = [...bundled].filter((path) => !path.includes('node_modules/')).sort();
  // The package that all of it is published as is no part of itself.
  const parts = own.filter((path) => (packages[path]?.name ?? nameOf(path)) !== name);
  const root = purlOf(name, version);
  const refOf = (path: string): string => purlOf(nameOf(path), packages[path]?.version ?? '');
  const direct = new Set(
    own.flatMap((path) =>
      Object.keys(packages[path]?.dependencies ?? {})
        .map((dependency) => resolve(packages, path, dependency))
        .filter((target) => target !== undefined && paths.includes(target)),
    ),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        ...namesOf(name),
        version,
        purl: root,
        licenses: licensesOf(license),
        components: parts.map((path) => ({ ...componentOf(packages, path), ...BUNDLED })),
      },
    },
    components: paths.map((path) => ({
      ...componentOf(packages, path),
      ...(bundled.has(path) ? BUNDLED : { scope: 'required' }),
    })),
    dependencies: [
      { ref: root, dependsOn: [...direct].map((path) => refOf(path ?? '')).sort() },
      ...paths.map((path) => ({
        ref: refOf(path),
        dependsOn: Object.keys(packages[path]?.dependencies ?? {})
          .map((dependency) => refOf(resolve(packages, path, dependency) ?? ''))
          .sort(),
      })),
    ],
  };
}

/** Its code is in our files, and not beside them. */
const BUNDLED: Pick<Component, 'properties'> = { properties: [{ name: 'windlass:bundled', value: 'true' }] };

function componentOf(packages: LockedPackages, path: string): Component {
  const entry = packages[path];
  const name = entry?.name ?? nameOf(path);
  if (entry?.version === undefined || entry.license === undefined)
    throw new Error(`package-lock.json does not say which version or licence ${path} has`);
  const ref = purlOf(name, entry.version);
  return {
    type: 'library',
    'bom-ref': ref,
    ...namesOf(name),
    version: entry.version,
    purl: ref,
    ...(entry.integrity !== undefined && { hashes: [hashOf(entry.integrity)] }),
    licenses: licensesOf(entry.license),
  };
}

/** The folder of the package that a module is from, as in the lock file. */
function packageOf(module: string): string {
  const found = /^(?:.*node_modules\/(?:@[^/]+\/)?[^/]+|packages\/[^/]+)/.exec(module);
  if (found === null) throw new Error(`the bundle contains ${module}, which is of no package`);
  return found[0];
}

function namesOf(name: string): Pick<Component, 'name' | 'group'> {
  const [group, rest] = name.split('/');
  return rest === undefined ? { name } : { group: group ?? '', name: rest };
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashOf(integrity: string): { alg: 'SHA-512'; content: string } {
  const [, digest = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return { alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') };
}

function licensesOf(license: string): Component['licenses'] {
  return license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }];
}

/** Beside the manifest, which must be written first. */
export async function writeBillOfMaterials(output: URL, modules: readonly string[]): Promise<void> {
  // The first is ours, the second npm's.
  const manifest = JSON.parse(await readFile(new URL('package.json', output), 'utf8')) as Contents;
  const lock = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8')) as Contents;
  const { name, version, license } = manifest;
  const bill = billOfMaterials({ name, version, license, packages: lock.packages, modules });
  await writeFile(new URL(BILL_OF_MATERIALS, output), `${JSON.stringify(bill, undefined, 2)}\n`);
}
