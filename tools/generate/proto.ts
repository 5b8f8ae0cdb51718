// Messages, enums and services of a published proto file: what Kubernetes' proto2 and the storage protocols' proto3 need
// of the language. What they never say (groups, defaults, required fields, …) stops it.

export interface ProtoField {
  readonly number: number;
  /** As the file has it: `volume_id`. */
  readonly name: string;
  readonly label: 'single' | 'repeated' | 'map';
  /**
   * A scalar, a name in `messages` or `enums`, or the full name of something in another file:
   * `google.protobuf.BoolValue`, `k8s.io.api.core.v1.PodSpec`. Of a map: that of its values.
   */
  readonly type: string;
  /** The oneof that the field is a member of. */
  readonly oneof?: string;
  /** Options that are true: `csi_secret`, `deprecated`. */
  readonly options: readonly string[];
}

export interface ProtoMethod {
  readonly name: string;
  readonly request: string;
  readonly response: string;
}

export interface ProtoFile {
  readonly syntax: 'proto2' | 'proto3';
  /** `k8s.io.api.core.v1` */
  readonly package: string;
  /** By dotted name within the file: `VolumeCapability.AccessMode`. */
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
  readonly enums: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Unary methods only. */
  readonly services: ReadonlyMap<string, readonly ProtoMethod[]>;
  /** What stands above a message, an enum or a service, by its name, and above a field, by `Message.field_name`. */
  readonly comments: ReadonlyMap<string, string>;
}

const SCALARS = new Set(['string', 'int32', 'int64', 'uint32', 'uint64', 'bool', 'bytes', 'double']);
/** Options of protobuf itself that change nothing on the wire. */
const PLAIN_OPTIONS = new Set(['deprecated', 'debug_redact']);
const TOKEN = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|[\w.]+|[{}()[\]<>=;:,]/y;

export function parseProto(source: string): ProtoFile {
  return new Parser(tokens(source)).file();
}

interface Tokens {
  readonly list: readonly string[];
  /** By the place of the token that they stand above. */
  readonly comments: ReadonlyMap<number, string>;
}

function tokens(source: string): Tokens {
  const list: string[] = [];
  const comments = new Map<number, string>();
  let above: string[] = [];
  let isOwnLine = true;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(source)?.[0];
    if (token === undefined) throw new Error(`a proto file has ${JSON.stringify(source.slice(at, at + 20))}`);
    if (/^\s/.test(token)) {
      if (token.includes('\n')) isOwnLine = true;
      // Whatever stands above an empty line belongs to nothing below it.
      if (/\n\s*\n/.test(token)) above = [];
    } else if (token.startsWith('//')) {
      if (isOwnLine) above.push(token.slice('//'.length));
    } else if (token.startsWith('/*')) above = [];
    else {
      if (above.length > 0) comments.set(list.length, joinComment(above));
      above = [];
      isOwnLine = false;
      list.push(token);
    }
  }
  return { list, comments };
}

/** Lines that were only wrapped become one again; items and paragraphs keep theirs. */
function joinComment(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/(?<!\n)\n(?!\n|[-*] |\d+[.)] )/g, ' ');
}

class Parser {
  readonly #tokens: readonly string[];
  readonly #above: ReadonlyMap<number, string>;
  readonly #comments = new Map<string, string>();
  #at = 0;
  #syntax: ProtoFile['syntax'] | undefined;
  #package: string | undefined;
  readonly #messages = new Map<string, ProtoField[]>();
  readonly #enums = new Map<string, Map<string, number>>();
  readonly #services = new Map<string, ProtoMethod[]>();

  constructor({ list, comments }: Tokens) {
    this.#tokens = list;
    this.#above = comments;
  }

  file(): ProtoFile {
    while (this.#at < this.#tokens.length) {
      const word = this.#take();
      if (word === 'syntax') {
        this.#expect('=');
        this.#syntax = this.#readSyntax();
        this.#expect(';');
      } else if (word === 'package') {
        this.#package = this.#take();
        this.#expect(';');
      } else if (word === 'import' || word === 'option') this.#skipStatement();
      else if (word === 'extend') this.#skipBlock();
      else if (word === 'message') this.#message('');
      else if (word === 'enum') this.#enum('');
      else if (word === 'service') this.#service();
      else if (word !== ';') throw this.#unexpected(word);
    }
    if (this.#syntax === undefined) throw new Error('a proto file names no syntax');
    if (this.#package === undefined) throw new Error('a proto file names no package');
    const messages = new Map(
      [...this.#messages].map(([name, fields]) => [
        name,
        fields.map((field) => ({ ...field, type: this.#resolve(name, field.type) })),
      ]),
    );
    return {
      syntax: this.#syntax,
      package: this.#package,
      messages,
      enums: this.#enums,
      services: this.#services,
      comments: this.#comments,
    };
  }

  #readSyntax(): ProtoFile['syntax'] {
    const token = this.#take();
    if (token === '"proto2"') return 'proto2';
    if (token === '"proto3"') return 'proto3';
    throw new Error(`a proto file has the syntax ${token}, not "proto2" or "proto3"`);
  }

  /** Keeps what stands above the token at that place. */
  #describe(name: string, at: number): void {
    const comment = this.#above.get(at);
    if (comment !== undefined) this.#comments.set(name, comment);
  }

  #message(scope: string): void {
    const at = this.#at - 1;
    const name = scope + this.#take();
    this.#describe(name, at);
    const fields: ProtoField[] = [];
    this.#messages.set(name, fields);
    this.#expect('{');
    for (let word = this.#take(); word !== '}'; word = this.#take()) {
      if (word === 'message') this.#message(`${name}.`);
      else if (word === 'enum') this.#enum(`${name}.`);
      else if (word === 'option' || word === 'reserved') this.#skipStatement();
      else if (word === 'oneof') {
        const oneof = this.#take();
        this.#expect('{');
        for (let inner = this.#take(); inner !== '}'; inner = this.#take())
          fields.push({ ...this.#field(inner, name), oneof });
      } else fields.push(this.#field(word, name));
    }
  }

  #field(first: string, message: string): ProtoField {
    const at = this.#at - 1;
    let label: ProtoField['label'] = 'single';
    let type = first;
    if (first === 'map') {
      label = 'map';
      for (const token of ['<', 'string', ',']) this.#expect(token);
      type = this.#take();
      this.#expect('>');
    } else if (first === 'repeated') {
      label = 'repeated';
      type = this.#take();
    } else if (this.#syntax === 'proto2') {
      // Each field says so there. Members of a oneof do not, but these files have none.
      if (first !== 'optional') throw this.#unexpected(first, 'optional');
      type = this.#take();
    }
    const name = this.#take();
    this.#describe(`${message}.${name}`, at);
    this.#expect('=');
    const number = this.#number();
    const options = this.#options();
    this.#expect(';');
    return { number, name, label, type, options };
  }

  /** `[(csi_secret) = true, deprecated = true]` */
  #options(): string[] {
    const options: string[] = [];
    if (this.#tokens[this.#at] !== '[') return options;
    do {
      this.#at++;
      const isPlain = PLAIN_OPTIONS.has(this.#tokens[this.#at] ?? '');
      if (!isPlain) this.#expect('(');
      const option = this.#take();
      for (const token of isPlain ? ['='] : [')', '=']) this.#expect(token);
      // Others say something, such as since when there is the field.
      if (this.#take() === 'true') options.push(option);
    } while (this.#tokens[this.#at] === ',');
    this.#expect(']');
    return options;
  }

  #enum(scope: string): void {
    const values = new Map<string, number>();
    const at = this.#at - 1;
    const name = scope + this.#take();
    this.#describe(name, at);
    this.#enums.set(name, values);
    this.#expect('{');
    for (let word = this.#take(); word !== '}'; word = this.#take()) {
      if (word === 'option' || word === 'reserved') {
        this.#skipStatement();
        continue;
      }
      this.#expect('=');
      values.set(word, this.#number());
      this.#options();
      this.#expect(';');
    }
  }

  #service(): void {
    const methods: ProtoMethod[] = [];
    const at = this.#at - 1;
    const service = this.#take();
    this.#describe(service, at);
    this.#services.set(service, methods);
    this.#expect('{');
    for (let word = this.#take(); word !== '}'; word = this.#take()) {
      if (word === 'option') {
        this.#skipStatement();
        continue;
      }
      if (word !== 'rpc') throw this.#unexpected(word);
      const name = this.#take();
      const request = this.#parameter();
      this.#expect('returns');
      const response = this.#parameter();
      this.#skipBlock();
      if (request !== undefined && response !== undefined) methods.push({ name, request, response });
    }
  }

  /** Undefined for a stream. */
  #parameter(): string | undefined {
    this.#expect('(');
    const type = this.#take();
    const streamed = type === 'stream';
    if (streamed) this.#take();
    this.#expect(')');
    return streamed ? undefined : type;
  }

  /** From the innermost scope outwards, as protobuf does. A name that begins with a dot is a full one. */
  #resolve(message: string, type: string): string {
    const full = type.startsWith('.') ? type.slice(1) : undefined;
    const own = full?.startsWith(`${this.#package}.`) ? full.slice(`${this.#package}.`.length) : undefined;
    if (own !== undefined && this.#isHere(own)) return own;
    const plain = full ?? type;
    if (SCALARS.has(plain) || full !== undefined || plain.startsWith('google.protobuf.')) return plain;
    for (let scope = message; ; scope = scope.slice(0, Math.max(scope.lastIndexOf('.'), 0))) {
      const name = scope === '' ? plain : `${scope}.${plain}`;
      if (this.#isHere(name)) return name;
      if (scope === '') throw new Error(`${message} has a field of the unknown type ${type}`);
    }
  }

  #isHere(name: string): boolean {
    return this.#messages.has(name) || this.#enums.has(name);
  }

  #take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('a proto file ends too early');
    return token;
  }

  #expect(token: string): void {
    const found = this.#take();
    if (found !== token) throw this.#unexpected(found, token);
  }

  #number(): number {
    const token = this.#take();
    if (!/^\d+$/.test(token)) throw this.#unexpected(token, 'a number');
    return Number(token);
  }

  /** Blocks in it have semicolons of their own. */
  #skipStatement(): void {
    for (let depth = 0; ; ) {
      const token = this.#take();
      if (token === '{') depth++;
      else if (token === '}') depth--;
      else if (token === ';' && depth === 0) return;
    }
  }

  /** To the end of the next block. */
  #skipBlock(): void {
    while (this.#take() !== '{');
    for (let depth = 1; depth > 0; ) {
      const token = this.#take();
      if (token === '{') depth++;
      else if (token === '}') depth--;
    }
  }

  #unexpected(token: string, wanted?: string): Error {
    const before = this.#tokens.slice(Math.max(0, this.#at - 6), this.#at).join(' ');
    return new Error(
      `a proto file has "${token}"${wanted === undefined ? '' : `, not "${wanted}",`} in: ${before}`,
    );
  }
}

/** Only what is sent and answered by methods that are kept: what streams alone carry is left out. */
export function usedByMethods(file: ProtoFile): ProtoFile {
  const used = new Set<string>();
  const use = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const { type } of file.messages.get(name) ?? []) use(type);
  };
  for (const methods of file.services.values())
    for (const { request, response } of methods) {
      use(request);
      use(response);
    }
  const only = <T>(all: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...all].filter(([name]) => used.has(name)));
  return { ...file, messages: only(file.messages), enums: only(file.enums) };
}
