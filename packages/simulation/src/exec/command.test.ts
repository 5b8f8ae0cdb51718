import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from './command.ts';

const KUBECONFIG = '/run/kubeconfig';
const places = { folder: '/run', kubeconfig: KUBECONFIG, ports: new Map([['metrics', 4321]]) };

const rows: readonly (readonly [line: string, file: string, ...args: string[]])[] = [
  ['./operator', './operator'],
  ['  ./operator  --v=2 ', './operator', '--v=2'],
  ['./operator --kubeconfig={kubeconfig}', './operator', `--kubeconfig=${KUBECONFIG}`],
  [`go run . 'two words' "and 'three'"`, 'go', 'run', '.', 'two words', "and 'three'"],
  [`a ''`, 'a', ''],
  [`a b'c'"d"e`, 'a', 'bcde'],
  ['a two\\ words \\"', 'a', 'two words', '"'],
  ['a "a \\" quote" "a \\n"', 'a', 'a " quote', 'a \\n'],
  [`a 'x | y; $z'`, 'a', 'x | y; $z'],
  ['a "x | y"', 'a', 'x | y'],
  ['./operator | tee log', 'sh', '-c', './operator | tee log'],
  ['PORT=0 ./operator', 'sh', '-c', 'PORT=0 ./operator'],
  ['./operator "$HOME"', 'sh', '-c', './operator "$HOME"'],
  ['./a --metrics=:{port:metrics} --certs={folder}/certs', './a', '--metrics=:4321', '--certs=/run/certs'],
  ['./a {port:other} {port} {name}', './a', '{port:other}', '{port}', '{name}'],
  ['A=b ./c {folder} {port:metrics}', 'sh', '-c', `A=b ./c '/run' 4321`],
  ['./a {kubeconfig} && ./b', 'sh', '-c', `./a '${KUBECONFIG}' && ./b`],
];

for (const [line, ...expected] of rows)
  test(`the command line ${JSON.stringify(line)}`, () => {
    const { file, args } = parseCommand(line, places);
    assert.deepEqual([file, ...args], expected);
  });

for (const [line, message] of [
  ['', /command.*a program/],
  ["''", /command.*a program/],
  ["./a 'open", /quotes are closed; column 5/],
  ['./a "open', /quotes are closed; column 5/],
] as const)
  test(`the command line ${JSON.stringify(line)} is refused`, () => {
    assert.throws(() => parseCommand(line, places), message);
  });
