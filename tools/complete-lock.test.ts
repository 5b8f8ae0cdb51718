import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingEntries, readLock } from './complete-lock.ts';

test('the lock file names every platform’s packages, or `npm ci` would refuse it', () => {
  const missing = Object.keys(missingEntries(readLock()));
  assert.deepEqual(missing, [], 'run `node tools/complete-lock.ts` and commit package-lock.json');
});

test('the lock file names no registry: everybody installs from their own', () => {
  const named = Object.values(readLock().packages).filter((each) => each.resolved?.includes('://'));
  assert.deepEqual(named, [], 'npm writes no host with the setting omit-lockfile-registry-resolved');
});

test('no dependency runs a script when it is installed', () => {
  const scripts = Object.entries(readLock().packages).filter(([, each]) => each.hasInstallScript);
  assert.deepEqual(scripts, []);
});

test('a missing entry gets the version and the platform that its name tells', () => {
  const wanted = {
    '@s/cli-darwin-arm64': { os: ['darwin'], cpu: ['arm64'] },
    '@s/binding-linux-x64-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    '@s/binding-linux-arm-musleabihf': { os: ['linux'], cpu: ['arm'], libc: ['musl'] },
    '@s/binding-linux-arm-gnueabihf': { os: ['linux'], cpu: ['arm'] },
    '@s/binding-win32-x64-msvc': { os: ['win32'], cpu: ['x64'] },
  };
  const optionalDependencies = Object.fromEntries(Object.keys(wanted).map((name) => [name, '1.2.3']));
  const packages = {
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: { ...optionalDependencies, here: '1' },
    },
    'node_modules/here': { version: '1' },
  };
  const expected = Object.entries(wanted).map(([name, platform]) => [
    `node_modules/${name}`,
    { version: '1.2.3', ...platform, dev: true, optional: true },
  ]);
  assert.deepEqual(missingEntries({ packages }), Object.fromEntries(expected));
  assert.throws(
    () => missingEntries({ packages: { 'node_modules/tool': { optionalDependencies: { odd: '1' } } } }),
    /cannot tell the platform of odd/,
  );
});
