// Every parser that a stranger reaches, with the worst that fits into its input: a body of 3 MiB, or what its limit
// lets through. None may hold up the process for long, whatever becomes of the input. The bound is in processor time and
// relative to what the machine needs to decode a JSON body of that size, because machines are busy.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJson,
  decodeProtobuf,
  encodeProtobuf,
  FieldSelector,
  parseCronSchedule,
  parseDuration,
  parseLabelSelector,
  scaledIntOrPercent,
  validateQualifiedName,
} from '@windlass/apimachinery';
import { parseSigningRequest } from '@windlass/base';
import { CelEnvironment } from '../custom/cel/cel-environment.ts';
import { compileGoRegexp } from '../custom/regexp/go-regexp.ts';
import { hasFormat } from '../custom/schema/formats.ts';
import { decodeContinueToken } from '../verbs/continue-token.ts';
import { MAX_BODY_BYTES, readBody, readPatch } from './body.ts';

const MIB = 1024 * 1024;
/** What a query may have: Node's HTTP servers take no more headers. */
const MAX_QUERY = 64 * 1024;
/** So many times the decoding of an honest body of that size, and at least so many milliseconds. */
const MAX_RATIO = 10;
const MAX_MS = 250;
const ATTEMPTS = 4;

function milliseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // Most of it is refused; how is for other tests.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const honest = JSON.stringify({
  items: Array.from({ length: 60_000 }, (_, index) => ({ name: `item-${index}`, value: 'some text here' })),
});
/** What the machine needs for it now: neighbours make it slower and faster from one second to the next. */
const unit = (): number => milliseconds(() => decodeJson(honest));
for (let round = 0; round < 3; round++) unit();

/** Fills a text up to `size`. */
const fill = (part: string, size = MAX_BODY_BYTES - 64): string =>
  part.repeat(Math.floor(size / part.length));

function check(name: string, work: () => unknown): void {
  test(name, () => {
    const took: string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const ms = milliseconds(work);
      if (ms <= MAX_MS) return;
      const limit = MAX_RATIO * unit();
      if (ms <= limit) return;
      took.push(`${ms.toFixed(0)} ms where ${limit.toFixed(0)} are allowed`);
    }
    assert.fail(`it took ${took.join(', ')}`);
  });
}

const bodyOf = (type: string, body: string | Uint8Array) => (): unknown =>
  readBody({ body, headers: { 'content-type': type } }, !type.includes('protobuf'));

describe('JSON bodies', () => {
  const rows: Readonly<Record<string, string>> = {
    'lists in lists': fill('['),
    'objects in objects': fill('{"a":'),
    'a list that is closed': `${fill('[', MIB)}${fill(']', MIB)}`,
    'a text without an end': `"${fill('a')}`,
    'a text of escapes': `"${fill('\\u0041')}"`,
    'one long number': fill('9'),
    'one long fraction': `0.${fill('9')}`,
    'a large exponent': `1e${fill('9')}`,
    'a field again and again': `{${fill('"a":1,')}"a":1}`,
    'many fields': `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    'many numbers': `[${fill('1,')}1]`,
    'many numbers of 64 bits': `[${fill('9007199254740993,')}1]`,
    'one of 64 bits among many': `[${fill('1,')}9007199254740993]`,
    'one of 64 bits, in lists': `${fill('[')}9007199254740993`,
    blanks: fill(' '),
    'a mistake at the end': `[${fill('1,')}]`,
    'a mistake after many lines': `[${fill('1,\n')}]`,
  };
  for (const [name, body] of Object.entries(rows)) check(name, bodyOf('application/json', body));
});

describe('YAML bodies', () => {
  const rows: Readonly<Record<string, string>> = {
    'explicit keys in keys': fill('? '),
    'lists in lists': fill('- '),
    'lists in brackets': fill('['),
    'objects in brackets': fill('{a: '),
    'a list of nothing': fill('-\n'),
    'a list in brackets': `[${fill('a,')}a]`,
    'many fields': Array.from({ length: 200_000 }, (_, i) => `k${i}: v`).join('\n'),
    'a field again and again': fill('a: 1\n'),
    'deeper and deeper': Array.from({ length: 2400 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    comments: fill('#\n'),
    'empty lines': `a: 1${fill('\n')}`,
    documents: fill('---\n'),
    'a text over many lines': `a: ${fill('b\n ')}`,
    'a text over many empty lines': `a: b${fill('\n', MIB)} c`,
    'a block': `a: |\n${fill('  x\n')}`,
    'a block of empty lines': `a: |\n${fill('\n')}`,
    'a folded block': `a: >\n${fill('  x\n')}`,
    'a text in quotes': `a: "${fill('\\n')}"`,
    'a text in quotes without an end': `a: "${fill('x')}`,
    'a text in quotes over many lines': `a: "${fill('x\n ')}"`,
    anchors: `[${fill('&a b,')}]`,
    aliases: `[&a b,${fill('*a,')}*a]`,
    'aliases of aliases': Array.from(
      { length: 40 },
      (_, i) =>
        `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*a${i - 1}`)).join(',')}]`,
    ).join('\n'),
    tags: fill('- !!str a\n'),
    'merge keys': `a: &a {b: c}\nd:\n${fill('  <<: *a\n')}`,
    'one long number': `a: ${fill('9')}`,
    'one long hexadecimal number': `a: 0x${fill('f')}`,
    'one long binary number': `a: 0b${fill('1')}`,
    'one long octal number': `a: 0${fill('7')}`,
    'one long number of zeros': `a: 0x${fill('0')}1`,
    'one long fraction': `a: 0.${fill('9')}`,
    'one long key': `${fill('a')}: b`,
    tabs: `a:${fill('\t')}b`,
    'as much as the complete parser is given': `? a\n: b\n${fill('- ', 60_000)}`,
    'as many brackets as the complete parser is given': `? a\n: ${fill('[', 60_000)}`,
    'as many aliases as the complete parser is given': `[&a b,${fill('*a,', 60_000)}*a]`,
  };
  for (const [name, body] of Object.entries(rows)) {
    check(name, bodyOf('application/yaml', body));
    check(`${name}, applied`, () => readPatch({ body }, 'apply', true));
  }
});

describe('protobuf bodies', () => {
  const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0]);
  const lengthOf = (bytes: number): Buffer => {
    const out: number[] = [];
    for (let rest = bytes; ; rest >>>= 7) {
      if (rest < 0x80) return Buffer.from([...out, rest]);
      out.push((rest & 0x7f) | 0x80);
    }
  };
  const field = (number: number, content: Uint8Array): Buffer => {
    const tag = (number << 3) | 2;
    return Buffer.concat([lengthOf(tag), lengthOf(content.byteLength), content]);
  };
  const pod = encodeProtobuf({ apiVersion: 'v1', kind: 'Pod' });
  const head = pod.subarray(4, pod.length);
  const typeMeta = head.subarray(0, 2 + (head[1] ?? 0));
  const object = (raw: Uint8Array): Buffer => Buffer.concat([MAGIC, typeMeta, field(2, raw)]);
  const many = (part: Uint8Array): Buffer =>
    Buffer.concat(Array.from({ length: Math.floor((MAX_BODY_BYTES - 64) / part.byteLength) }, () => part));
  const nested = (number: number, depth: number): Buffer => {
    let content: Buffer = Buffer.alloc(0);
    for (let level = 0; level < depth; level++) content = field(number, content);
    return content;
  };
  const rows: Readonly<Record<string, Uint8Array>> = {
    zeros: Buffer.alloc(MAX_BODY_BYTES - 64),
    ones: Buffer.alloc(MAX_BODY_BYTES - 64, 0xff),
    'unknown fields': object(many(field(1000, Buffer.alloc(0)))),
    'messages in messages': object(nested(2, 3000)),
    'metadata again and again': object(many(field(1, Buffer.from([0x0a, 0])))),
    'two lists in turn': object(
      field(2, many(Buffer.concat([field(22, Buffer.alloc(0)), field(23, Buffer.alloc(0))]))),
    ),
    'a map of one key': object(many(field(1, field(11, Buffer.from([0x0a, 1, 97]))))),
  };
  for (const [name, body] of Object.entries(rows)) check(name, () => decodeProtobuf(body));
});

describe('patches', () => {
  const wide = { data: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 'v'])) };
  const long = { list: Array.from({ length: 1_000_000 }, () => 0) };
  const times = (make: (index: number) => unknown, count = 10_000): unknown[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const tree = (depth: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };
  const json: Readonly<Record<string, readonly [document: unknown, patch: unknown]>> = {
    'copies into a large object': [
      wide,
      times((i) => ({ op: 'copy', from: '/data/k0', path: `/data/c${i}` })),
    ],
    'copies of a large object': [wide, times((i) => ({ op: 'copy', from: '/data', path: `/c${i}` }))],
    'copies of nothing': [wide, times((i) => ({ op: 'copy', from: '/none', path: `/data/c${i}` }))],
    'insertions at the front': [long, times(() => ({ op: 'add', path: '/list/0', value: 1 }))],
    'removals from the front': [long, times(() => ({ op: 'remove', path: '/list/0' }))],
    'removals from the middle': [long, times(() => ({ op: 'remove', path: '/list/10' }))],
    'moves within a list': [long, times(() => ({ op: 'move', from: '/list/0', path: '/list/-' }))],
    'moves within an object': [
      wide,
      times((i) => ({ op: 'move', from: `/data/k${i}`, path: `/data/m${i}` })),
    ],
    'removals from an object': [wide, times((i) => ({ op: 'remove', path: `/data/k${i}` }))],
    'tests of a large object': [wide, times(() => ({ op: 'test', path: '/data', value: {} }))],
    'tests of what is absent': [wide, times(() => ({ op: 'test', path: '/data/none', value: null }))],
    'a tree that grows': [
      { t: {} },
      times((i) => ({ op: 'add', path: `/t${'/a'.repeat(900 * (i % 3))}`, value: tree(900) }), 30),
    ],
    'a tree that is moved into another': [
      { a: {} },
      times((i) =>
        i % 3 === 0
          ? { op: 'add', path: '/t', value: {} }
          : i % 3 === 1
            ? { op: 'move', from: '/a', path: '/t/a' }
            : { op: 'move', from: '/t', path: '/a' },
      ),
    ],
    'long paths': [tree(1000), times(() => ({ op: 'test', path: '/a'.repeat(100), value: null }))],
    'too many': [wide, times(() => ({ op: 'test', path: '/data/none', value: null }), 100_000)],
  };
  for (const [name, [document, patch]] of Object.entries(json))
    check(`JSON patch: ${name}`, () => applyJsonPatch(document, patch));

  const merge: Readonly<Record<string, unknown>> = {
    deep: tree(999),
    'many fields': { data: Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, 'w'])) },
    'many fields that go': {
      data: Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, null])),
    },
  };
  for (const [name, patch] of Object.entries(merge))
    check(`merge patch: ${name}`, () => applyMergePatch(wide, patch));

  const containers = (make: (index: number) => object) => ({
    spec: { containers: Array.from({ length: 40_000 }, (_, i) => make(i)) },
  });
  const live = containers((i) => ({ name: `c${i}`, image: 'i' }));
  const source = { definition: () => undefined };
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          containers: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' } } },
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'name',
          },
          finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
        },
      },
    },
  } as const;
  const strategic: Readonly<Record<string, object>> = {
    items: containers((i) => ({ name: `c${i}`, image: 'j' })),
    'items the other way round': containers((i) => ({ name: `c${40_000 - i}`, image: 'j' })),
    deletions: containers((i) => ({ name: `c${i}`, $patch: 'delete' })),
    'an order': {
      spec: {
        '$setElementOrder/containers': Array.from({ length: 40_000 }, (_, i) => ({ name: `c${40_000 - i}` })),
      },
    },
    'texts that go': {
      spec: { '$deleteFromPrimitiveList/finalizers': Array.from({ length: 200_000 }, (_, i) => `f${i}`) },
    },
    'fields that stay': { spec: { $retainKeys: Array.from({ length: 200_000 }, (_, i) => `f${i}`) } },
  };
  for (const [name, patch] of Object.entries(strategic))
    check(`strategic patch: ${name}`, () => applyStrategicMergePatch(live, patch, { schema, source }));
});

describe('texts in queries and fields', () => {
  const selectors: Readonly<Record<string, string>> = {
    parentheses: fill('(', MAX_QUERY),
    commas: fill(',', MAX_QUERY),
    negations: fill('!', MAX_QUERY),
    terms: fill('a=b,', MAX_QUERY),
    values: `a in (${fill('b,', MAX_QUERY)}b)`,
    'one long number': `a>${fill('9', MAX_QUERY)}`,
    blanks: `a${fill(' ', MAX_QUERY)}=b`,
    escapes: `a=${fill('\\,', MAX_QUERY)}`,
  };
  for (const [name, text] of Object.entries(selectors)) {
    check(`label selector: ${name}`, () => parseLabelSelector(text));
    check(`field selector: ${name}`, () => FieldSelector.parse(text));
  }
  const texts: Readonly<Record<string, readonly [(text: string) => unknown, string]>> = {
    'duration of many parts': [parseDuration, fill('1s')],
    'duration of many digits': [parseDuration, `${fill('9')}s`],
    'duration of many decimals': [parseDuration, `0.${fill('9')}s`],
    'duration without a unit that is known': [parseDuration, `1${fill('x')}`],
    'percentage of many digits': [(text) => scaledIntOrPercent(text, 100, true), `${fill('9')}%`],
    'cron of many parts': [parseCronSchedule, `${fill('1,')}1 * * * *`],
    'cron of blanks': [parseCronSchedule, fill(' ')],
    'cron of many fields': [parseCronSchedule, fill('* ')],
    'cron of ranges': [parseCronSchedule, `${fill('0-59/1,')}1 * * * *`],
    name: [validateQualifiedName, `${fill('a-')}!`],
    'name of dots': [validateQualifiedName, `${fill('a.')}!/b`],
    'continue token': [decodeContinueToken, Buffer.from(fill('{"a":', MAX_QUERY)).toString('base64url')],
    'signing request': [parseSigningRequest, pem(Buffer.alloc(2 * MIB, 0x30))],
    'signing request of nested parts': [parseSigningRequest, pem(nestedDer(100_000))],
    'signing request of blanks': [parseSigningRequest, fill('-----BEGIN CERTIFICATE REQUEST-----\n')],
  };
  for (const [name, [parse, text]] of Object.entries(texts)) check(name, () => parse(text));
});

describe('what definitions bring', () => {
  const env = CelEnvironment.create().variable('self', 'dyn');
  const expressions: Readonly<Record<string, string>> = {
    sums: `1${fill('+1')}`,
    parentheses: fill('('),
    'parentheses that are closed': `${fill('(', MIB)}1${fill(')', MIB)}`,
    lists: fill('['),
    negations: `${fill('!')}true`,
    signs: `${fill('-')}1`,
    choices: `${fill('true?')}1`,
    fields: `self${fill('.a')}`,
    calls: `self${fill('.a()')}`,
    'one long text': `'${fill('a')}'`,
    'one long number': fill('9'),
    'a list of numbers': `[${fill('1,')}1]`,
    'loops in loops': `${fill('[1].all(x,')}true${fill(')', MIB)}`,
    conditions: `true${fill('&&true')}`,
    blanks: fill(' '),
  };
  for (const [name, text] of Object.entries(expressions)) check(`CEL: ${name}`, () => env.compile(text));

  const patterns: Readonly<Record<string, string>> = {
    groups: fill('('),
    'groups that are closed': `${fill('(', MIB)}a${fill(')', MIB)}`,
    stars: `a${fill('*')}`,
    'repetitions in repetitions': '((a{1000}){1000}){1000}',
    'many repetitions': fill('a{1000}'),
    alternatives: fill('a|'),
    classes: fill('[a-z]'),
    'one class': `[${fill('a-z')}]`,
    names: fill('\\pL'),
    letters: fill('a'),
  };
  for (const [name, text] of Object.entries(patterns)) check(`pattern: ${name}`, () => compileGoRegexp(text));

  // Enough to tell: what takes the square of this takes minutes.
  const LONG = 256 * 1024;
  const long: Readonly<Record<string, string>> = {
    letters: `${fill('a', LONG)}!`,
    dots: `${fill('a.', LONG)}!`,
    'short dots': `${fill('a.', 80)}!`,
    dashes: `${fill('a-', LONG)}!`,
    'short dashes': `${fill('a-', 80)}!`,
    digits: `${fill('1', LONG)}!`,
    colons: `${fill('a:', LONG)}!`,
    slashes: `${fill('a/', LONG)}!`,
    blanks: `${fill(' ', LONG)}!`,
    angles: `${fill('<', LONG)}!`,
    'at signs': `${fill('a@', LONG)}!`,
    quotes: `${fill('"', LONG)}!`,
    percents: `http://${fill('%41', LONG)} `,
    'groups of four': `${fill('AAAA', LONG)}!`,
  };
  const formats =
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime k8s-short-name k8s-long-name';
  for (const format of formats.split(' '))
    for (const [name, text] of Object.entries(long))
      check(`format ${format}: ${name}`, () => hasFormat(text, format));
});

function pem(bytes: Uint8Array): string {
  return `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

function nestedDer(depth: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < depth; level++) {
    const head =
      length < 0x80
        ? Buffer.from([0x30, length])
        : Buffer.from([0x30, 0x83, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff]);
    parts.push(head);
    length += head.byteLength;
  }
  return Buffer.concat(parts.toReversed());
}

test('memory stays bounded', () => {
  // In KiB. The inputs themselves are about 300 MiB of texts, which stand in the tables above.
  assert.ok(process.resourceUsage().maxRSS / 1024 < 2048, `${process.resourceUsage().maxRSS / 1024} MiB`);
});
