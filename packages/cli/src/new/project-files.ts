import { customResourceDefinition } from '@windlass/codegen';
import { operatorManifests } from '../generate/operator-manifests.ts';
import type { OutputFile } from '../generate/output-folder.ts';
import type { ProjectNames } from './project-names.ts';
import {
  deploymentManifest,
  exampleManifest,
  initialAccesses,
  namespaceManifest,
} from './template/manifests.ts';
import { operatorModule } from './template/operator.ts';
import { dockerfile, IGNORED, packageJson, TSCONFIG } from './template/package-files.ts';
import { readme } from './template/readme.ts';
import { mainModule, reconcilerModule } from './template/reconciler.ts';
import { declaredKind, resourceModule } from './template/resource.ts';
import { simulationModule, simulationTestModule } from './template/simulation.ts';
import { testModule } from './template/test.ts';

/**
 * Every file of a new project.
 * @param tarball the file name of the tarball of Windlass that it keeps; undefined for the published package
 */
export function projectFiles(names: ProjectNames, tarball?: string): OutputFile[] {
  const { name } = names;
  const own = [
    { path: 'namespace.yaml', text: namespaceManifest(names) },
    { path: 'deployment.yaml', text: deploymentManifest(names) },
  ];
  const derived = operatorManifests({
    name,
    namespace: name,
    definitions: [customResourceDefinition(declaredKind(names))],
    webhooks: [],
    accesses: initialAccesses(names),
    webhookUrl: undefined,
    own: own.map(({ path }) => path),
  });
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
    { path: 'src/simulation.ts', text: simulationModule(names) },
    { path: 'src/simulation.test.ts', text: simulationTestModule() },
    { path: 'src/operator.ts', text: operatorModule(names) },
    { path: 'src/main.ts', text: mainModule() },
    ...[...own, ...derived].map(({ path, text }) => ({ path: `manifests/${path}`, text })),
    { path: 'manifests/example.yaml', text: exampleManifest(names) },
  ];
}
