import { LINE_WIDTH } from './text.ts';

/** Where each type that a generated module may need comes from. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [
    'ClusterKind',
    'ClusterObjectMeta',
    'JsonValue',
    'KubeList',
    'NamespacedKind',
    'ObjectMeta',
    'ResourceType',
  ],
  client: ['Client', 'ClientFor'],
  informer: ['InformerLease', 'InformerOptions', 'Lister', 'SharedInformerFactory'],
};

/** What a module imports: only what it uses, and under another name where its own kind has that name. */
export class Imports {
  readonly #own: ReadonlySet<string>;
  readonly #from: string;
  readonly #used = new Set<string>();

  constructor(own: Iterable<string>, from: string) {
    this.#own = new Set(own);
    this.#from = from;
  }

  /** Every name that may be imported, used or not. */
  get names(): string[] {
    return Object.values(HOMES).flat();
  }

  use(name: string): string {
    this.#used.add(name);
    return this.#own.has(name) ? `Windlass${name}` : name;
  }

  lines(): string[] {
    return Object.entries(HOMES).flatMap(([home, names]) => {
      const used = names.filter((name) => this.#used.has(name));
      if (used.length === 0) return [];
      const specifiers = used.map((name) => (this.#own.has(name) ? `${name} as Windlass${name}` : name));
      const line = `import type { ${specifiers.join(', ')} } from '${this.#from}${home}';`;
      if (line.length <= LINE_WIDTH) return [line];
      return ['import type {', ...specifiers.map((text) => `  ${text},`), `} from '${this.#from}${home}';`];
    });
  }
}
