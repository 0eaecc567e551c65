/**
 * platen clone: writes the profile of a real printer, so that rooms can have one like it.
 */

import { existsSync } from 'node:fs';

import type { Command } from 'commander';

import { usageError } from '../common/actionable-error.ts';
import { ensureFolderOf, writeFileWhole } from './files/whole-file.ts';
import { readTextFile } from '../common/given-file.ts';
import { shownAddress } from '../common/service-address.ts';
import type { PrinterClone } from '../hardware/clone/printer-clone.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { filled } from './options/option-values.ts';
import { out, outDocument } from './screen/terminal.ts';

interface CloneFlags {
  readonly name?: string;
  readonly out?: string;
}

export function cloneCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('clone')
    .description('write the profile of a real printer, to put one like it in a room')
    .argument(
      '<printer>',
      'ipp:// or ipps:// address of a printer or of a CUPS queue, a file with its `ipptool -tv` output, or the PPD file of its driver',
    )
    .option('--name <name>', 'what computers call it (default: its make and model)')
    .option('--out <file>', 'write the profile to this file, which a room names: `profile: ./our-printer.json`', filled)
    .action(async (source: string, flags: CloneFlags) => finish(await run(source, flags)));
}

async function run(source: string, { name, out: file }: CloneFlags): Promise<ExitCode> {
  if (file !== undefined) ensureFolderOf(file);
  const clone = await cloneFrom(source);
  const profile = `${JSON.stringify({ ...clone, ...(name !== undefined && { name }) }, null, 2)}\n`;
  if (file === undefined) {
    outDocument(profile);
    return EXIT.good;
  }
  writeFileWhole(file, profile);
  const { papers, bins } = clone.capabilities;
  const amount = `${Object.keys(papers ?? {}).length} papers, ${bins?.length ?? 0} trays`;
  out(`${file}: ${clone.description}, ${amount}`);
  return EXIT.good;
}

async function cloneFrom(source: string): Promise<PrinterClone> {
  if (/\.ppd$/i.test(source)) {
    const { cloneOfPpd } = await import('../hardware/clone/ppd.ts');
    return cloneOfPpd(await readTextFile(source, 'Name a file you may read.'), source);
  }
  const { cloneOf } = await import('../hardware/clone/printer-clone.ts');
  if (existsSync(source)) {
    const { attributesFromIpptool } = await import('../hardware/clone/ipptool-output.ts');
    return cloneOf(attributesFromIpptool(await readTextFile(source, 'Name a file you may read.'), source), source);
  }
  if (!source.includes('://')) {
    throw usageError(
      `there is no file '${source.includes(':') ? shownAddress(source) : source}'`,
      'Name a file, or an address such as ipp://HOST/ipp/print.',
    );
  }
  const { printerAttributes } = await import('../hardware/ipp/ipp-client.ts');
  return cloneOf(await printerAttributes(source), source);
}
