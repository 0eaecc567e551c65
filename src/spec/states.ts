/**
 * States of print jobs, accounts, computers and printers, and who generates the former.
 *
 *   (none) ── POST /printjobs accepted ──► new ── not delivered before expireAfter ──► expired
 *   active ◄── PUT /account/state ──► suspended
 *
 * Nothing else about transitions is shown. Print job states other than the stable ones may appear.
 */

export const STABLE_PRINT_JOB_STATES = {
  new: { generatedBy: ['service'], clause: 'states/new' },
  sent_to_client: { generatedBy: ['service', 'client'], clause: 'states/sent-to-client' },
  done: { generatedBy: ['client'], clause: 'states/done' },
  error: { generatedBy: ['client'], clause: 'states/error' },
  expired: { generatedBy: ['service'], clause: 'states/expired' },
} as const;

export type StablePrintJobState = keyof typeof STABLE_PRINT_JOB_STATES;

export const ACCOUNT_STATES = {
  active: { clause: 'accounts/state-active' },
  suspended: { clause: 'accounts/state-suspended' },
} as const;

/** Seen, not promised: others may appear. */
export const OBSERVED_COMPUTER_STATES = {
  disconnected: { clause: 'states/computer-disconnected' },
} as const;

/** Seen, not promised: others may appear. */
export const OBSERVED_PRINTER_STATES = {
  online: { clause: 'states/printer-online' },
  offline: { clause: 'states/printer-offline' },
} as const;
