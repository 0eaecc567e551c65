/**
 * Written: lines as the bytes that a terminal or the log of a CI server gets. Here, and only here, text is escaped: a
 * file, a target or a name in it may hold sequences that colour, move or erase what stands on a screen, turn the
 * direction of writing, hide, begin a line of their own, or command the server that reads the log.
 */

import { styleText } from 'node:util';

import { piecesOf, type Line } from './line.ts';

/** Controls, formatting that is not seen, halves of characters, and what breaks a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

/** Writes every such character as a JSON escape: `\u001b`. Text that is JSON stays the same JSON. */
function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) => SHORT[found] ?? found.split('').map(unitNumber).join(''));
}

function unitNumber(unit: string): string {
  return String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A command to GitHub: at the beginning of a line, after blanks. */
const FIRST_COLON = /^(\s*):(?=:)/;
/** Commands to Azure, TeamCity and older runners of GitHub: anywhere in it. */
const FIRST_HASH = /#(?=#(?:\[|vso\[|teamcity\[))/gi;

/** No server takes the line for a command. */
function harmless(text: string): string {
  return withoutHash(text).replace(FIRST_COLON, String.raw`$1\u003a`);
}

function withoutHash(text: string): string {
  return text.replaceAll(FIRST_HASH, String.raw`\u0023`);
}

export interface Look {
  readonly color: boolean;
}

export function written(lines: readonly Line[], look: Look): string {
  return lines.map((one) => `${writtenLine(one, look)}\n`).join('');
}

/** Without a line break. */
export function writtenLine(one: Line, { color }: Look): string {
  const pieces = piecesOf(one).map(({ text, style }) => ({ text: printable(text), style }));
  const asText = pieces.map(({ text }) => text).join('');
  // A command may be in several pieces: such a line has no colours.
  if (!color || harmless(asText) !== asText) return harmless(asText);
  return pieces
    .map(({ text, style }) => (style === undefined ? text : styleText(style, text, { validateStream: false })))
    .join('');
}

/** A remark of a run that GitHub shows beside the steps of a workflow: the one command that is meant. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** `title`, `file`, `line`. */
  readonly properties: Readonly<Record<string, string>>;
  /** May have several lines. */
  readonly message: string;
}

/** Without a line break. */
export function writtenAnnotation({ level, properties, message }: Annotation): string {
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  const lines = message.split('\n').map(escapeData);
  return `::${level} ${listed.join(',')}::${lines.join('%0A')}`;
}

function escapeData(text: string): string {
  return withoutHash(printable(text)).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
