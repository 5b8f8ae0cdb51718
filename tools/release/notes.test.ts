import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { releaseNotes } from './notes.ts';

const changelog =
  '# Changelog\n\n## [Unreleased]\n\n- next\n\n## [0.2.0] - 2026-12-01\n\n- two\n\n## [0.1.0]\n\n- one\n';

describe('releaseNotes', () => {
  it('are the part of the changelog about the version', () => {
    assert.equal(releaseNotes('v0.2.0', { changelog, version: '0.2.0' }), '- two\n');
    assert.equal(releaseNotes('v0.1.0', { changelog, version: '0.1.0' }), '- one\n');
  });

  it('are refused when something was forgotten', () => {
    assert.throws(() => releaseNotes('v0.3.0', { changelog, version: '0.2.0' }), /is not v0\.2\.0/);
    assert.throws(() => releaseNotes('v0.3.0', { changelog, version: '0.3.0' }), /has no "## \[0\.3\.0\]"/);
    const empty = '## [0.4.0]\n\n## [0.3.0]\n';
    assert.throws(() => releaseNotes('v0.4.0', { changelog: empty, version: '0.4.0' }), /says nothing/);
  });
});
