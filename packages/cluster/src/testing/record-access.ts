import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResourceType } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import {
  ACCESS_FOLDER,
  AccessRecorder,
  type AccessRecorderOptions,
  writeAccessFile,
} from '@windlass/codegen';

/** What is recorded, and where it is kept. */
export interface RecordAccessOptions extends AccessRecorderOptions {
  /** The kinds of the operator, which may own others. @default only the owners */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** Where the records of all test files are. @default '.windlass/access', beside the nearest package.json */
  readonly folder?: string | URL;
}

/** With these, only a part of a file's tests runs, and the record of the whole file stays as it was. */
const PARTIAL = /^--test-(?:name-pattern|skip-pattern|only)/;

/**
 * A recorder whose notes are kept when this test file ends and all of its tests have passed.
 * `windlass generate manifests` derives the roles from those of all test files.
 */
export function recordAccess(options: RecordAccessOptions = {}): AccessRecorder {
  const { owners = [], definitions = [] } = options;
  const recorder = new AccessRecorder({ owners: [...owners, ...definitions.flatMap(kindsOf)] });
  if (process.execArgv.some((flag) => PARTIAL.test(flag))) return recorder;
  // Without isolation, one process runs all test files, and their record is that of the whole project.
  const test = process.argv[1] ?? resolve('package.json');
  const folder = options.folder ?? join(projectOf(test), ACCESS_FOLDER);
  keep(typeof folder === 'string' ? folder : fileURLToPath(folder), test, recorder);
  return recorder;
}

/** The recorders of this process, by the folder that their notes go to. */
const RECORDERS = new Map<string, AccessRecorder[]>();

function keep(folder: string, test: string, recorder: AccessRecorder): void {
  const others = RECORDERS.get(folder);
  if (others !== undefined) {
    others.push(recorder);
    return;
  }
  const recorders = [recorder];
  RECORDERS.set(folder, recorders);
  process.once('exit', (code) => {
    if (code === 0)
      writeAccessFile(folder, { test, accesses: recorders.flatMap(({ accesses }) => accesses) });
  });
}

/** One for each version. */
function kindsOf({ spec }: CustomResourceDefinition): ResourceType[] {
  const { group, names, scope, versions } = spec;
  const { kind, plural } = names;
  return versions.map(({ name: version }) => ({
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
  }));
}

/** The nearest folder with a package.json. */
function projectOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return process.cwd();
  }
}
