import { DecodeError } from '../../errors.ts';

/** Thrown where the text needs the complete parser, which is also the one that says what is wrong with it. */
export class NotPlainYaml extends Error {
  readonly line: number;

  constructor(line: number) {
    super('the text is not in the plain form of YAML');
    this.line = line;
  }
}

export const LINE_BREAK = 10;
export const BLANK = 32;
export const TAB = 9;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const SINGLE_QUOTE = 39;
export const COMMA = 44;
export const DASH = 45;
export const COLON = 58;
export const OPEN_ARRAY = 91;
export const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

/** A place in a text that only ever moves forward, so that reading costs as much as the text is long. */
export class Cursor {
  readonly text: string;
  at: number;
  /** Where the line of `at` begins. */
  lineStart: number;
  /** Counted from 1. */
  line = 1;
  readonly #maxDepth: number;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.at = 0;
    this.lineStart = 0;
    this.#maxDepth = maxDepth;
  }

  /** Moves over the line break at `at`. */
  breakLine(): void {
    this.at++;
    this.lineStart = this.at;
    this.line++;
  }

  get code(): number {
    // NaN at the end of the text, which equals nothing.
    return this.text.charCodeAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** Whether `code` at an offset ends a word: a blank, a line break, or the end of the text. */
  isSpaceAt(offset: number): boolean {
    if (offset >= this.text.length) return true;
    const code = this.text.charCodeAt(offset);
    if (code === TAB) this.leave();
    return code === BLANK || code === LINE_BREAK;
  }

  skipBlanks(): void {
    while (this.code === BLANK) this.at++;
    if (this.code === TAB) this.leave();
  }

  /** Over blanks, comments and line breaks to the next thing that counts. Whether it is on another line. */
  skipToContent(): boolean {
    let isNewLine = this.column === 0;
    for (;;) {
      const before = this.at;
      this.skipBlanks();
      if (this.isAtEnd) return true;
      if (this.code === HASH && (this.at > before || isNewLine)) this.#skipComment();
      if (this.isAtEnd) return true;
      if (this.code !== LINE_BREAK) break;
      this.breakLine();
      isNewLine = true;
    }
    if (this.column === 0 && this.#isMarker()) this.leave();
    return isNewLine;
  }

  #skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  /** Another document begins, or this one ends, or a directive stands there. */
  #isMarker(): boolean {
    const { text, at, code } = this;
    return code === 37 || text.startsWith('---', at) || text.startsWith('...', at);
  }

  /** After a value nothing may follow on its line but a comment. */
  endLine(): void {
    const before = this.at;
    this.skipBlanks();
    if (this.isAtEnd || this.code === LINE_BREAK) return;
    if (this.code !== HASH || this.at === before) this.leave();
    this.#skipComment();
  }

  checkDepth(depth: number): void {
    if (depth <= this.#maxDepth) return;
    const { line } = this;
    throw new DecodeError(`yaml: line ${line}: the value is nested more than ${this.#maxDepth} deep`, {
      line,
    });
  }

  leave(): never {
    throw new NotPlainYaml(this.line);
  }
}
