/**
 * platen openapi: the printing API as an OpenAPI document, for generators, mock servers and readers.
 */

import type { Command } from 'commander';

import { printingApiDocument, printingApiPage } from '../workbench/printing-api.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { outDocument } from './screen/terminal.ts';

interface OpenApiFlags {
  readonly html?: true;
}

export function openApiCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('openapi')
    .description('print the printing API as an OpenAPI 3.1 document')
    .option('--html', 'print it as a page for people')
    .action(({ html }: OpenApiFlags) => {
      outDocument((html ? printingApiPage() : printingApiDocument()).trimEnd());
      finish(EXIT.good);
    });
}
