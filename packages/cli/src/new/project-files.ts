import { customResourceDefinition, definitionFileName } from '@windlass/codegen';
import { crdFile } from '../generate/crds-command.ts';
import type { OutputFile } from '../generate/output-folder.ts';
import type { ProjectNames } from './project-names.ts';
import {
  deploymentManifest,
  exampleManifest,
  namespaceManifest,
  rbacManifest,
} from './template/manifests.ts';
import { dockerfile, IGNORED, packageJson, TSCONFIG } from './template/package-files.ts';
import { readme } from './template/readme.ts';
import { mainModule, reconcilerModule } from './template/reconciler.ts';
import { declaredKind, resourceModule } from './template/resource.ts';
import { testModule } from './template/test.ts';

/**
 * Every file of a new project.
 * @param tarball the file name of the tarball of Windlass that it keeps; undefined for the published package
 */
export function projectFiles(names: ProjectNames, tarball?: string): OutputFile[] {
  const definition = customResourceDefinition(declaredKind(names));
  return [
    { path: 'package.json', text: packageJson(names, tarball) },
    { path: 'tsconfig.json', text: TSCONFIG },
    { path: '.gitignore', text: IGNORED },
    { path: '.dockerignore', text: IGNORED },
    { path: 'Dockerfile', text: dockerfile(tarball) },
    { path: 'README.md', text: readme(names) },
    { path: 'src/resource.ts', text: resourceModule(names) },
    { path: 'src/reconciler.ts', text: reconcilerModule(names) },
    { path: 'src/reconciler.test.ts', text: testModule(names) },
    { path: 'src/main.ts', text: mainModule(names) },
    { path: `manifests/crds/${definitionFileName(definition)}`, text: crdFile(definition) },
    { path: 'manifests/namespace.yaml', text: namespaceManifest(names) },
    { path: 'manifests/rbac.yaml', text: rbacManifest(names) },
    { path: 'manifests/deployment.yaml', text: deploymentManifest(names) },
    { path: 'manifests/example.yaml', text: exampleManifest(names) },
  ];
}
