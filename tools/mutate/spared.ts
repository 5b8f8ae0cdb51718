// What no mutant touches: code without an effect that a test could or should see.
import { childrenOf, type SyntaxNode, withoutWrapping } from './syntax.ts';

const LOG_METHODS = new Set(['debug', 'info', 'warn', 'error', 'trace', 'log']);
const LOGGER = /(^|[a-z#])(log|logger|console)$/i;
/** Functions that take a text for people: an Error's constructor, or a function that makes or records one. */
const TAKES_TEXT = /(Error|Failure|Exception)$|^(fail|invalid|forbidden|refuse|event|warn|emit)/;

/** Whether a mutant would change only types, imports or a log line in `node` and all below it. */
export function isSpared(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return true;
    case 'ExportNamedDeclaration':
      return node.source !== null;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      return false;
    case 'CallExpression':
      return isLogCall(node);
    default:
      return node.type.startsWith('TS');
  }
}

/** Whether a string of `node`'s arguments is a text for people. Other arguments of it count as usual. */
export function takesText(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  if (node.callee.type === 'Super') return true;
  return TAKES_TEXT.test(nameOf(node.callee));
}

/** A sentence is for people, and how it is worded is nobody's contract. */
export function isSentence(text: string): boolean {
  return /\s/.test(text);
}

function isLogCall(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return LOG_METHODS.has(nameOf(node.callee)) && LOGGER.test(nameOf(node.callee.object));
}

/** Whether a statement does nothing but write to the log. */
export function isLogStatement(node: SyntaxNode): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const expression = withoutWrapping(node.expression);
  return (expression.type === 'ChainExpression' ? childrenOf(expression) : [expression]).some(isLogCall);
}

/** The last name of `a.b.name`, `this.#name` or `name`; empty for anything else. */
export function nameOf(node: SyntaxNode): string {
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return node.name;
    case 'MemberExpression':
      return node.computed ? '' : nameOf(node.property);
    case 'CallExpression': // logger.with({...}).warn(...)
      return node.callee.type === 'MemberExpression' ? nameOf(node.callee.object) : '';
    case 'ChainExpression':
      return nameOf(node.expression);
    default:
      return '';
  }
}
