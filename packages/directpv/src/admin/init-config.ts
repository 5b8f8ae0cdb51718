import { decodeYaml, encodeYaml } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { InvalidRequestError } from './errors.ts';

/** The only version of the file that there is. */
const VERSION = 'v1';

/** A drive in `drives.yaml`. */
export interface InitDrive {
  /** What the node answered at discovery; a drive that has changed since then has another. */
  readonly id: string;
  /** Without `/dev/`. */
  readonly name: string;
  readonly size: number;
  readonly make: string;
  /** The file system that is on it. It is written over when the drive is selected. */
  readonly fs?: string;
  /** Only drives with `yes`, in any case, are initialised. */
  readonly select: string;
}

/** A node of an init configuration, with its drives. */
export interface InitNode {
  readonly name: string;
  readonly drives: readonly InitDrive[];
}

/** What `discover` writes, a person edits, and `init` reads: `drives.yaml`. */
export interface InitConfig {
  readonly version: typeof VERSION;
  readonly nodes: readonly InitNode[];
}

export function initConfig(nodes: readonly InitNode[]): InitConfig {
  return { version: VERSION, nodes };
}

/** The configuration as YAML, to be edited and passed to `init`. */
export function writeInitConfig(config: InitConfig): string {
  return encodeYaml(config, { sortKeys: false });
}

/** Whether the drive is to be initialised. */
export function isSelected(drive: InitDrive): boolean {
  return drive.select.toLowerCase() === 'yes';
}

/**
 * @param source the file's name, for messages
 * @throws InvalidRequestError that names the file and the field
 */
export function parseInitConfig(text: string, source: string): InitConfig {
  let value: unknown;
  try {
    value = decodeYaml(text).value;
  } catch (error) {
    throw new InvalidRequestError(`${source} is no YAML: ${toError(error).message}`, error);
  }
  const at = new Reader(source);
  const root = at.object(value, '');
  if (root['version'] !== VERSION)
    throw new InvalidRequestError(
      `${source}: version must be ${VERSION}, but it is ${JSON.stringify(root['version'] ?? null)}; make the file with discover`,
    );
  const nodes = at.list(root['nodes'], 'nodes').map((node, index) => readNode(at, node, `nodes[${index}]`));
  const names = nodes.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw at.wrong(`nodes: ${twice} is there twice; put its drives together`);
  return { version: VERSION, nodes };
}

function readNode(at: Reader, value: unknown, path: string): InitNode {
  const node = at.object(value, path);
  const drives = at.list(node['drives'], `${path}.drives`);
  return {
    name: at.text(node['name'], `${path}.name`),
    drives: drives.map((drive, index) => readDrive(at, drive, `${path}.drives[${index}]`)),
  };
}

function readDrive(at: Reader, value: unknown, path: string): InitDrive {
  const drive = at.object(value, path);
  const { fs, size = 0, make = '', select = '' } = drive;
  if (typeof size !== 'number') throw at.wrong(`${path}.size must be a number of bytes`);
  return {
    id: at.text(drive['id'], `${path}.id`),
    name: at.text(drive['name'], `${path}.name`),
    size,
    make: String(make),
    ...(typeof fs === 'string' && fs !== '' && { fs }),
    // A bare yes is true by YAML's old rules, and a person who edits the file may well leave the quotes out.
    select: select === true ? 'yes' : select === false ? 'no' : String(select),
  };
}

class Reader {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  object(value: unknown, path: string): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.wrong(`${path === '' ? 'the file' : path} must be an object`);
    return value as Readonly<Record<string, unknown>>; // just checked
  }

  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.wrong(`${path} must be a list`);
    return value;
  }

  text(value: unknown, path: string): string {
    if (typeof value !== 'string' || value === '') throw this.wrong(`${path} must be a text`);
    return value;
  }

  wrong(problem: string): InvalidRequestError {
    return new InvalidRequestError(`${this.#source}: ${problem}`);
  }
}
