import { VERSION } from '@windlass/base';
import type { ProjectNames } from '../project-names.ts';

/** What the project is checked with; kept at the versions that Windlass itself is checked with. */
export const DEV_DEPENDENCIES = { '@types/node': '26.6.6', typescript: '7.0.2' };

/** Where a project keeps the tarball of Windlass, when it has one. */
export const VENDOR = 'vendor';

/** @param tarball the file name of the tarball in `vendor`; undefined for the published package */
export function packageJson({ name, kind }: ProjectNames, tarball?: string): string {
  const manifests = 'windlass generate manifests';
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    description: `Makes ${kind} objects true`,
    engines: { node: '>=24' },
    scripts: {
      start: 'node src/main.ts',
      test: `node --test && ${manifests} --check`,
      check: 'tsc',
      manifests: `node --test && ${manifests}`,
      chart: 'windlass generate chart',
      dev: 'windlass dev',
      sim: 'windlass sim src/simulation.ts',
      cluster: 'windlass up',
    },
    dependencies: { windlass: tarball === undefined ? `^${VERSION}` : `file:${VENDOR}/${tarball}` },
    devDependencies: DEV_DEPENDENCIES,
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

export const TSCONFIG = `{
  "compilerOptions": {
    "target": "esnext",
    "lib": ["esnext"],
    "module": "nodenext",
    "types": ["node"],
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`;

export const IGNORED = `node_modules/
.windlass/
`;

export function dockerfile(tarball?: string): string {
  return `FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package*.json ./
${tarball === undefined ? '' : `COPY ${VENDOR} ./${VENDOR}\n`}RUN if [ -f package-lock.json ]; then npm ci --omit=dev; else npm install --omit=dev; fi
COPY src ./src
USER 1000
ENTRYPOINT ["node", "src/main.ts"]
`;
}
