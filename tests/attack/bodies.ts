// Bodies of nearly 3 MB, which is the most that the server reads, in shapes that are dear to read.

const MB = 1024 * 1024;
export const LIMIT = 3 * MB - 2000;

const fill = (piece: string): string => piece.repeat(Math.floor(LIMIT / piece.length));

/** YAML that is short to say and long to read. */
export const YAML_BOMBS: Readonly<Record<string, () => string>> = {
  'complex keys': () => fill('? '),
  'nested sequences': () => fill('- '),
  'flow sequences': () => fill('['),
  'flow mappings': () => fill('{a: '),
  'aliases of aliases': () => {
    const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
    for (let at = 1; at < 12; at++)
      lines.push(`a${at}: &a${at} [${Array.from({ length: 9 }, () => `*a${at - 1}`).join(', ')}]`);
    return lines.join('\n');
  },
  'one alias, very often': () => `a: &a {b: c}\nlist:\n${fill('- *a\n').slice(0, LIMIT - 100)}`,
  'very many anchors': () =>
    Array.from({ length: 120_000 }, (_, at) => `k${at}: &n${at} v${at}`)
      .join('\n')
      .slice(0, LIMIT),
  'merge keys': () => `a: &a {b: c}\nlist:\n${fill('- {<<: *a}\n').slice(0, LIMIT - 100)}`,
  'very many documents': () => fill('---\n'),
  'very many keys': () =>
    Array.from({ length: 200_000 }, (_, at) => `k${at}: v`)
      .join('\n')
      .slice(0, LIMIT),
  'one long folded text': () => `a: >\n${fill('  word\n').slice(0, LIMIT - 100)}`,
  'quotes and escapes': () => `a: "${fill('\\x41').slice(0, LIMIT - 100)}"`,
  tags: () => fill('- !!str a\n'),
  comments: () => fill('#\n'),
  'tabs and blanks': () => fill(' \n'),
  'deeper and deeper': () =>
    Array.from({ length: 1700 }, (_, depth) => `${' '.repeat(depth)}a:`)
      .join('\n')
      .slice(0, LIMIT),
};

const object = (inside: string): string => `{"metadata":{"name":"big"},${inside}}`;

/** JSON of every shape. */
export const BIG_JSON: Readonly<Record<string, () => string>> = {
  'deep lists': () => object(`"data":${'['.repeat(1_400_000)}${']'.repeat(1_400_000)}`),
  'deep objects': () => object(`"data":${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`),
  'not closed': () => fill('{"a":['),
  'very many fields': () =>
    object(
      `"data":{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":"v"`)
        .join(',')
        .slice(0, LIMIT - 200)}`,
    ),
  'very many unknown fields': () =>
    object(Array.from({ length: 100_000 }, (_, at) => `"unknown${at}":1`).join(',')),
  'one field, very often': () => object(fill('"data":1,').slice(0, LIMIT - 200) + '"data":{}'),
  'very many small lists': () => object(`"data":[${fill('[],').slice(0, LIMIT - 200)}[]]`),
  'very many numbers': () => object(`"data":[${fill('1e308,').slice(0, LIMIT - 200)}1]`),
  'one long number': () => object(`"data":${'9'.repeat(LIMIT - 200)}`),
  'one long text': () => object(`"data":{"a":"${'a'.repeat(LIMIT - 200)}"}`),
  escapes: () => object(`"data":{"a":"${'\\u0041'.repeat(500_000)}"}`),
  'half characters': () => object(`"data":{"a":"${'\\ud800'.repeat(500_000)}"}`),
  'very many labels': () =>
    `{"metadata":{"name":"big","labels":{${Array.from({ length: 100_000 }, (_, at) => `"l${at}":"v"`).join(',')}}}}`,
  'very many owners': () =>
    `{"metadata":{"name":"big","ownerReferences":[${Array.from({ length: 30_000 }, (_, at) => `{"apiVersion":"v1","kind":"Pod","name":"p${at}","uid":"u${at}"}`).join(',')}]}}`,
  'very many finalizers': () =>
    `{"metadata":{"name":"big","finalizers":[${Array.from({ length: 100_000 }, (_, at) => `"a.b/f${at}"`).join(',')}]}}`,
  'very many managers': () =>
    `{"metadata":{"name":"big","managedFields":[${Array.from({ length: 15_000 }, (_, at) => `{"manager":"m${at}","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a${at}":{}}}}`).join(',')}]}}`,
  blanks: () => object(`"data":{}${' '.repeat(LIMIT - 200)}`),
  'too much': () => 'x'.repeat(4 * MB),
};
