import type * as Yaml from 'yaml';

const SMALL_DOCUMENT = 400_000;
const LARGE_DOCUMENT = 4_000_000;

/**
 * The share of a document that may come from aliases: nearly all of a small one, a tenth of a large one.
 * Nine lines of aliases would otherwise be a billion values.
 */
function allowedShare(visited: number): number {
  if (visited <= SMALL_DOCUMENT) return 0.99;
  if (visited >= LARGE_DOCUMENT) return 0.1;
  return 0.99 - (0.89 * (visited - SMALL_DOCUMENT)) / (LARGE_DOCUMENT - SMALL_DOCUMENT);
}

/** What the aliases of one document stand for, and how much of it they may be. */
export class YamlAliases {
  readonly #yaml: typeof Yaml;
  readonly #fail: (node: unknown, problem: string) => never;
  readonly #targets = new Map<unknown, unknown>();
  /** The aliases that we are within: one that is met again contains itself. */
  readonly #within = new Set<unknown>();
  #visited = 0;
  #visitedByAlias = 0;

  constructor(yaml: typeof Yaml, root: unknown, fail: (node: unknown, problem: string) => never) {
    this.#yaml = yaml;
    this.#fail = fail;
    this.#bind(root, new Map());
  }

  /** An alias means the last node of that name before it, so that they are bound in the text's order. */
  #bind(node: unknown, anchors: Map<string, unknown>): void {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (isAlias(node)) {
      if (!anchors.has(node.source)) this.#fail(node, `unknown anchor '${node.source}' referenced`);
      this.#targets.set(node, anchors.get(node.source));
    } else if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor) anchors.set(node.anchor, node);
      if (isMap(node))
        for (const pair of node.items) {
          this.#bind(pair.key, anchors);
          this.#bind(pair.value, anchors);
        }
      if (isSeq(node)) for (const item of node.items) this.#bind(item, anchors);
    }
  }

  /** Calls back with what the alias stands for. */
  follow<T>(alias: Yaml.Alias, use: (target: unknown) => T): T {
    if (this.#within.has(alias)) this.#fail(alias, `anchor '${alias.source}' value contains itself`);
    this.#within.add(alias);
    const result = use(this.#targets.get(alias));
    this.#within.delete(alias);
    return result;
  }

  /** To be called for every node that is visited. */
  count(node: unknown): void {
    this.#visited++;
    if (this.#within.size > 0) this.#visitedByAlias++;
    if (this.#visitedByAlias <= 100 || this.#visited <= 1000) return;
    if (this.#visitedByAlias / this.#visited > allowedShare(this.#visited))
      this.#fail(node, 'document contains excessive aliasing');
  }
}
