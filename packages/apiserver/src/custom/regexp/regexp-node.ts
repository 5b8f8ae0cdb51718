/** What an expression is made of. */
export type RegexpNode =
  | { readonly type: 'empty' }
  | CharNode
  | { readonly type: 'assert'; readonly kind: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly RegexpNode[] }
  | { readonly type: 'choice'; readonly parts: readonly RegexpNode[] }
  | RepeatNode;

/** One code point. */
export interface CharNode {
  readonly type: 'char';
  /** As JavaScript writes it with the flag `u`. */
  readonly source: string;
}

export interface RepeatNode {
  readonly type: 'repeat';
  readonly body: RegexpNode;
  readonly min: number;
  readonly max: number;
  readonly isGreedy: boolean;
}

export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary';

/** Whether it can match without a character. */
export function canBeEmpty(node: RegexpNode): boolean {
  switch (node.type) {
    case 'empty':
    case 'assert':
      return true;
    case 'char':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'choice':
      return node.parts.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    default:
      return node satisfies never;
  }
}
