import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMissingTag, missingHost, referenceProblem } from './image-reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('names of images that may be', () => {
  for (const image of [
    'nginx',
    'nginx:1.27',
    'library/nginx',
    'a/b/c/d:v1',
    'ghcr.io/a/b:v1',
    'localhost:5000/x',
    'Registry.Example.com/x',
    '[::1]:5000/x',
    `quay.io/x@${DIGEST}`,
    `quay.io/x:v1@${DIGEST}`,
    'a_b.c__d--e',
    `x:${'t'.repeat(128)}`,
  ])
    it(image, () => assert.equal(referenceProblem(image), undefined));
});

describe('names of images that may not be', () => {
  const rows: [image: string, problem: string][] = [
    ['', 'invalid reference format'],
    ['Nginx', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
    ['docker.io/My/App:v1', 'invalid reference format: repository name (My/App) must be lowercase'],
    [
      'INVALID IMAGE!',
      'invalid reference format: repository name (library/INVALID IMAGE!) must be lowercase',
    ],
    ['nginx:', 'invalid reference format'],
    ['nginx:-v1', 'invalid reference format'],
    [`x:${'t'.repeat(129)}`, 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    ['-nginx', 'invalid reference format'],
    ['nginx@sha256:abc', 'invalid reference format'],
    [
      'a'.repeat(64),
      `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`,
    ],
    ['a'.repeat(256), 'repository name must not be more than 255 characters'],
    ['a'.repeat(100_000), 'invalid reference format'],
  ];
  for (const [image, problem] of rows)
    it(`${image.slice(0, 40)}: ${problem.slice(0, 80)}`, () =>
      assert.equal(referenceProblem(image), problem));
});

describe('registries that cannot exist', () => {
  const rows: [image: string, host: string | undefined][] = [
    ['invalid.registry.k8s.io/invalid/alpine:3.1', 'invalid.registry.k8s.io'],
    ['registry.invalid:5000/x', 'registry.invalid'],
    ['docker.io/library/invalid:latest', undefined],
    ['registry.k8s.io/invalid', undefined],
    ['invalidating.example.com/x', undefined],
  ];
  for (const [image, host] of rows) it(`${image}: ${host}`, () => assert.equal(missingHost(image), host));
});

describe('tags that no image has', () => {
  for (const image of [
    'webserver:404',
    'foo:non-existent',
    'a.b/c:nonexistent',
    'x:does-not-exist',
    'x:not-found',
  ])
    it(image, () => assert.ok(isMissingTag(image)));
  for (const image of ['nginx', 'nginx:1.404', 'x:404-fixed', '404', 'not-found/server:1', 'host:404/x'])
    it(`is not ${image}`, () => assert.ok(!isMissingTag(image)));
});
