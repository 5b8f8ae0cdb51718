// The mutation operators: each turns one node of the syntax tree into a small mistake that somebody could have made.
import { isLogStatement, isSentence, nameOf } from './spared.ts';
import { type SyntaxNode, withoutWrapping } from './syntax.ts';

/** Puts `text` where the source has the characters from `start` to before `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What an operator may look at besides the node. */
export interface Surroundings {
  readonly source: string;
  readonly parent: SyntaxNode;
  /** Whether strings here are texts for people. */
  readonly inText: boolean;
  /** How many arguments a function of this name needs at least, if that is known. */
  readonly requiredArguments: (name: string) => number | undefined;
}

export interface Operator {
  readonly name: string;
  /** The edit that makes the mutant, if the operator applies to `node`. Most leave the types as they are. */
  apply(node: SyntaxNode, at: Surroundings): Edit | undefined;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };
const ASSIGNMENTS: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=' };
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** Up to this number one more makes a difference; a large number (a time, a limit) is doubled. */
const SMALL = 10;

const replace = ({ start, end }: SyntaxNode, text: string): Edit => ({ start, end, text });

/** Replaces the operator token between two operands, which are both kept as they are. */
function swapToken(left: SyntaxNode, right: SyntaxNode, from: string, to: string, source: string): Edit {
  const start = source.indexOf(from, left.end);
  return start < 0 || start >= right.start
    ? { start: left.end, end: right.start, text: ` ${to} ` }
    : { start, end: start + from.length, text: to };
}

export const OPERATORS: readonly Operator[] = [
  {
    name: 'negate a condition',
    apply(node, { source }) {
      if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return undefined;
      const { test } = node;
      // `a === b` negated is `a !== b`, which the comparisons have.
      if (test.type === 'BinaryExpression' && COMPARISONS[test.operator] !== undefined) return undefined;
      if (test.type === 'UnaryExpression' && test.operator === '!')
        return replace(test, source.slice(test.argument.start, test.argument.end));
      return replace(test, `!(${source.slice(test.start, test.end)})`);
    },
  },
  {
    name: 'drop a "not"',
    apply(node, { source, parent }) {
      if (node.type !== 'UnaryExpression' || node.operator !== '!') return undefined;
      const isTest =
        (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') && parent.test === node;
      return isTest ? undefined : replace(node, source.slice(node.argument.start, node.argument.end));
    },
  },
  {
    name: 'change a comparison',
    apply(node, { source }) {
      if (node.type !== 'BinaryExpression') return undefined;
      const to = COMPARISONS[node.operator];
      return to === undefined ? undefined : swapToken(node.left, node.right, node.operator, to, source);
    },
  },
  {
    name: 'swap && and ||',
    apply(node, { source }) {
      if (node.type !== 'LogicalExpression' || node.operator === '??') return undefined;
      const to = node.operator === '&&' ? '||' : '&&';
      // Parentheses keep the operands together: && binds more tightly than ||.
      const [left, right] = [node.left, node.right].map(({ start, end }) => source.slice(start, end));
      return replace(node, `((${left}) ${to} (${right}))`);
    },
  },
  {
    name: 'change arithmetic',
    apply(node, { source }) {
      if (node.type === 'BinaryExpression') {
        const to = ARITHMETIC[node.operator];
        if (to === undefined || [node.left, node.right].some(isText)) return undefined;
        return swapToken(node.left, node.right, node.operator, to, source);
      }
      if (node.type === 'AssignmentExpression') {
        const to = ASSIGNMENTS[node.operator];
        if (to === undefined || isText(node.right)) return undefined;
        return swapToken(node.left, node.right, node.operator, to, source);
      }
      return undefined;
    },
  },
  {
    name: 'drop a statement',
    apply(node, { parent }) {
      if (node.type !== 'ExpressionStatement' || isLogStatement(node)) return undefined;
      const expression = withoutWrapping(node.expression);
      if (expression.type === 'Literal') return undefined; // A directive.
      if (expression.type === 'CallExpression' && expression.callee.type === 'Super') return undefined;
      // The step of a loop without which it would only hang.
      if (parent.type === 'WhileStatement' || parent.type === 'DoWhileStatement') return undefined;
      return replace(node, ';');
    },
  },
  {
    name: 'drop a guard',
    apply(node) {
      if (node.type !== 'IfStatement' || node.alternate !== null) return undefined;
      const { consequent } = node;
      const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
      const leaves = ['ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement'];
      return leaves.includes(last?.type ?? '') ? replace(node, ';') : undefined;
    },
  },
  {
    name: 'return at once',
    apply(node) {
      if (node.type !== 'FunctionDeclaration' && node.type !== 'FunctionExpression') return undefined;
      if (node.body === null || node.body.body.length < 2 || !returnsNothing(node.returnType))
        return undefined;
      return { start: node.body.start, end: node.body.start + 1, text: '{ return;' };
    },
  },
  {
    name: 'change a number',
    apply(node) {
      if (node.type !== 'Literal' || typeof node.value !== 'number') return undefined;
      return replace(node, String(node.value <= SMALL ? node.value + 1 : node.value * 2));
    },
  },
  {
    name: 'change a boolean',
    apply(node) {
      if (node.type !== 'Literal' || typeof node.value !== 'boolean') return undefined;
      return replace(node, String(!node.value));
    },
  },
  {
    name: 'empty a string',
    apply(node, { parent, inText }) {
      if (node.type !== 'Literal' || typeof node.value !== 'string') return undefined;
      if (inText || node.value === '' || isSentence(node.value)) return undefined;
      if ('key' in parent && parent.key === node) return undefined;
      return replace(node, "''");
    },
  },
  {
    name: 'drop a default',
    apply(node, { source }) {
      if (node.type === 'LogicalExpression' && node.operator === '??')
        return replace(node, source.slice(node.left.start, node.left.end));
      return undefined;
    },
  },
  {
    name: 'drop an optional argument',
    apply(node, { source, requiredArguments }) {
      if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
      const last = node.arguments.at(-1);
      if (last === undefined || node.arguments.some(({ type }) => type === 'SpreadElement')) return undefined;
      // Of a method of something else, such as `Promise.all`, only the name is known, and names are shared.
      const { callee } = node;
      const isOwn = callee.type !== 'MemberExpression' || callee.object.type === 'ThisExpression';
      const required = isOwn ? requiredArguments(nameOf(callee)) : undefined;
      if (required === undefined || node.arguments.length <= required) return undefined;
      const before = node.arguments.at(-2);
      const start = before?.end ?? last.start;
      return { start, end: last.end, text: source.slice(start, start) };
    },
  },
  {
    name: 'remove an element',
    apply(node) {
      if (node.type !== 'ArrayExpression') return undefined;
      const last = node.elements.at(-1);
      if (last === undefined || last === null) return undefined;
      const before = node.elements.at(-2);
      return { start: before?.end ?? last.start, end: last.end, text: '' };
    },
  },
  {
    name: 'swap a method',
    apply(node) {
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
      const to = METHODS[nameOf(node.callee)];
      return to === undefined ? undefined : replace(node.callee.property, to);
    },
  },
];

function isText(node: SyntaxNode): boolean {
  const plain = withoutWrapping(node);
  if (plain.type === 'BinaryExpression') return isText(plain.left) || isText(plain.right);
  return plain.type === 'TemplateLiteral' || (plain.type === 'Literal' && typeof plain.value === 'string');
}

/** Only what is written down counts: `: void` and `: Promise<void>`. */
function returnsNothing(annotation: SyntaxNode | null | undefined): boolean {
  if (annotation?.type !== 'TSTypeAnnotation') return false;
  const type = annotation.typeAnnotation;
  if (type.type === 'TSVoidKeyword') return true;
  if (type.type !== 'TSTypeReference' || nameOf(type.typeName) !== 'Promise') return false;
  return type.typeArguments?.params[0]?.type === 'TSVoidKeyword';
}
