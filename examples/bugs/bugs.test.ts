import { test } from 'node:test';
import { checkBug } from './check-exhibit.ts';
import { EXHIBITS } from './gallery.ts';

for (const exhibit of EXHIBITS)
  test(`${exhibit.name}: a seed finds the bug, and it needs few faults`, async () =>
    void (await checkBug(exhibit, exhibit.seed)));
