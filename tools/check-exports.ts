// Every name that the published package exports has a sentence that says what it is: what an editor shows. The compiler
// is asked, because only it knows what `export *` leads to. Its programming interface is not stable yet; the version is
// pinned.
import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, SymbolFlags } from 'typescript/unstable/sync';

/** An exported name without a description, and where it is declared. */
export interface Undescribed {
  /** The subpath: `runtime`, `api/core/v1`. */
  readonly module: string;
  readonly name: string;
  readonly file: string;
}

/** The API itself leaves these without one. */
const LEFT_OUT: ReadonlySet<string> = new Set(['api/admissionregistration/v1alpha1 MatchCondition']);

/**
 * What the modules in `folder` export without a description. Each declaration is named once.
 * @param root where `tsconfig.json` is, with a slash at its end
 */
export function undescribedExports(root: string, folder: string): Undescribed[] {
  const api = new API({ cwd: root });
  try {
    const configuration = `${root}tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration);
    if (project === undefined) throw new Error(`the compiler finds no project in ${configuration}`);
    const { program, checker } = project;
    const found = new Map<string, Undescribed>();
    for (const path of globSync('**/*.ts', { cwd: `${root}${folder}` }).sort()) {
      const source = program.getSourceFile(`${root}${folder}/${path}`);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${folder}/${path} is no module of the project`);
      for (const exported of checker.getExportsOfModule(module)) {
        const isAlias = (exported.flags & SymbolFlags.Alias) !== 0;
        const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
        const tags = symbol.getJsDocTags(checker);
        if (symbol.getDocumentationComment(checker).trim() !== '' || tags.length > 0) continue;
        const file = posix.relative(root, symbol.declarations[0]?.path ?? path);
        const entry = { module: path.replace(/\.ts$/, ''), name: exported.name, file };
        if (!found.has(`${file} ${entry.name}`)) found.set(`${file} ${entry.name}`, entry);
      }
    }
    return [...found.values()];
  } finally {
    api.close();
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const missing = undescribedExports(root, 'packages/windlass/src').filter(
    ({ module, name }) => !LEFT_OUT.has(`${module} ${name}`),
  );
  for (const { module, name, file } of missing)
    console.error(`${file}: ${name} of windlass/${module} has no description; write a sentence above it`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
