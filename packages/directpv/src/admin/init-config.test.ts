import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initConfig, isSelected, parseInitConfig, writeInitConfig } from './init-config.ts';

const TEXT = `version: v1
nodes:
- name: node-1
  drives:
  - id: 8:16$aGFzaA==
    name: sdb
    size: 1073741824
    make: QEMU HARDDISK
    fs: ext4
    select: "yes"
  - id: 8:32$aGFzaA==
    name: sdc
    size: 1073741824
    make: ""
    select: "no"
`;

describe('drives.yaml', () => {
  it('is written as people know it, and read back the same', () => {
    const config = initConfig([
      {
        name: 'node-1',
        drives: [
          {
            id: '8:16$aGFzaA==',
            name: 'sdb',
            size: 1073741824,
            make: 'QEMU HARDDISK',
            fs: 'ext4',
            select: 'yes',
          },
          { id: '8:32$aGFzaA==', name: 'sdc', size: 1073741824, make: '', select: 'no' },
        ],
      },
    ]);
    assert.equal(writeInitConfig(config), TEXT);
    assert.deepEqual(parseInitConfig(TEXT, 'drives.yaml'), config);
  });

  for (const [text, selected] of [
    ['yes', true],
    ['"yes"', true],
    ['YES', true],
    ['"no"', false],
    ['no', false],
    ['maybe', false],
    ['""', false],
  ] as const)
    it(`takes select: ${text} for ${selected ? 'yes' : 'no'}`, () => {
      const file = TEXT.replace('select: "yes"', `select: ${text}`);
      const drive = parseInitConfig(file, 'f').nodes[0]?.drives[0];
      assert.equal(drive !== undefined && isSelected(drive), selected);
    });

  for (const [file, says] of [
    ['version: v2', 'f: version must be v1, but it is "v2"; make the file with discover'],
    ['nodes: []', 'f: version must be v1, but it is null; make the file with discover'],
    ['- a', 'f: the file must be an object'],
    ['version: v1\nnodes: {}', 'f: nodes must be a list'],
    ['version: v1\nnodes: [{drives: []}]', 'f: nodes[0].name must be a text'],
    ['version: v1\nnodes: [{name: a, drives: [{name: sda}]}]', 'f: nodes[0].drives[0].id must be a text'],
    ['version: v1\nnodes: [{name: a}, {name: a}]', 'f: nodes: a is there twice; put its drives together'],
  ] as const)
    it(`refuses ${JSON.stringify(file)}`, () =>
      assert.throws(() => parseInitConfig(file, 'f'), { code: 'INVALID_REQUEST', message: says }));

  it('says where broken YAML is broken', () =>
    assert.throws(() => parseInitConfig('version: [', 'f'), /^InvalidRequestError: f is no YAML: .*line 1/));
});
