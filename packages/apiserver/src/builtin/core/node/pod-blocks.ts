// The blocks of addresses that a node gives to its pods.
import { FieldPath, fieldInternalError } from '@windlass/apimachinery';
import { familyOf, parseBlock, validateBlock } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const PATH = FieldPath.of('spec', 'podCIDRs');

export function validatePodBlocks(blocks: readonly string[], findings: Findings): void {
  for (const [index, block] of blocks.entries()) validateBlock(findings, PATH.index(index), block);
  if (blocks.length < 2) return;
  const families = new Set(blocks.map((block) => familyOf(block.split('/')[0] ?? '')));
  const unknown = blocks.findIndex((block) => parseBlock(block) === undefined);
  if (unknown !== -1) {
    const why = `invalid CIDR[${unknown}]: <nil> (invalid CIDR address: ${blocks[unknown] ?? ''})`;
    const error = new Error(`invalid PodCIDRs. failed to check with dual stack with error:${why}`);
    findings.add([fieldInternalError(PATH, error)]);
  }
  if (unknown !== -1 || families.size < 2 || blocks.length > 2)
    findings.invalid(PATH, blocks, 'may specify no more than one CIDR for each IP family');
}

export function validatePodBlocksUpdate(
  blocks: readonly string[],
  old: readonly string[],
  findings: Findings,
): void {
  const frozen = 'node updates may not change podCIDR except from "" to valid';
  if (old.length === 0) return;
  if (blocks.length !== old.length) findings.forbidden(PATH, frozen);
  else
    for (const [index, block] of old.entries()) if (blocks[index] !== block) findings.forbidden(PATH, frozen);
}
