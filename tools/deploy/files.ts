import { encodeYaml, encodeYamlDocuments } from '@windlass/apimachinery';
import { installObjects, snapshotObjects } from '@windlass/directpv';
import { chartFiles } from './chart.ts';
import { partsOf } from './parts.ts';

/** Folders that hold nothing but what is generated. */
export const GENERATED = ['manifests/', 'kustomize/', 'helm/'] as const;

const MARK = '# Made by tools/deploy.ts from what `kubectl directpv install` applies. Do not edit.\n';

/** Everything that is generated, by path below deploy/. */
export function deployFiles(): [path: string, text: string][] {
  const objects = installObjects();
  const parts = partsOf(objects);
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: parts.map(([file]) => file),
  };
  return [
    ['manifests/directpv.yaml', MARK + encodeYamlDocuments(objects)],
    ['manifests/snapshots.yaml', MARK + encodeYamlDocuments(snapshotObjects())],
    ['kustomize/kustomization.yaml', MARK + encodeYaml(kustomization)],
    ...parts.map(([file, some]): [string, string] => [`kustomize/${file}`, MARK + encodeYamlDocuments(some)]),
    ...chartFiles(MARK).map(([path, text]): [string, string] => [`helm/directpv/${path}`, text]),
  ];
}
