/**
 * Mutant: the reference service with one clause broken. It is broken in one of four places:
 *
 *   caller ─► requests ─► service and its rules ─► link ─► computer
 *          ◄─ answers ◄──
 */

import type { ServiceRules } from '../../src/service/service-rules.ts';
import type { ClauseId } from '../../src/specification/clauses.ts';
import type { LinkClauseId } from '../../src/link/link-clauses.ts';
import type { FrameMeddling } from './meddling-websocket.ts';
import type { LinkMeddling } from './meddling-link.ts';
import type { AskingMeddle, AskingRewrite, Meddling, Rewrite } from './meddling-proxy.ts';

export interface Mutant {
  readonly name: string;
  /** The clause that is broken. */
  readonly clause: ClauseId | LinkClauseId;
  readonly rules?: Partial<ServiceRules>;
  readonly rewrite?: AskingRewrite;
  readonly meddle?: AskingMeddle;
  readonly rewriteUpgrade?: Meddling['rewriteUpgrade'];
  readonly meddleFrames?: Meddling['meddleFrames'];
  readonly spreadFrames?: Meddling['spreadFrames'];
  readonly link?: LinkMeddling;
  /** Frames of the device link. */
  readonly frames?: () => FrameMeddling;
}

/** What the service answers is changed on its way. */
export function inAnswers(clause: ClauseId, name: string, meddle: AskingMeddle): Mutant {
  return { name, clause, meddle };
}

/** What the service is asked is changed on its way. */
export function inRequests(clause: ClauseId, name: string, rewrite: Rewrite): Mutant {
  return { name, clause, rewrite };
}

/** A rule of the service is replaced. */
export function inRules(clause: ClauseId, name: string, rules: Partial<ServiceRules>): Mutant {
  return { name, clause, rules };
}

/** What a computer and the service say to each other is changed on its way. */
export function onLink(clause: ClauseId, name: string, link: LinkMeddling): Mutant {
  return { name, clause, link };
}

/** Broken in several of these places, or in a way that has no place of its own. */
export function broken(clause: Mutant['clause'], name: string, how: Omit<Mutant, 'name' | 'clause'>): Mutant {
  return { name, clause, ...how };
}
