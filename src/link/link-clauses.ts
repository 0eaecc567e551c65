/**
 * What docs/device-link.md demands of a service, as data: one statement each, by id. They are no part of the
 * specification, and bind a service only that says that it speaks this link.
 */

export const LINK_CLAUSES = {
  'link/subprotocol': 'The service picks a subprotocol that it speaks among those offered, and names it in its answer.',
  'link/no-extensions': 'The service enables no extension, not even permessage-deflate when it is offered.',
  'link/missing-key-401': 'An upgrade without a key is answered 401.',
  'link/unknown-key-401': 'An upgrade with a key that does not exist is answered 401.',
  'link/401-names-scheme': 'A 401 to an upgrade has WWW-Authenticate: Basic realm=Api.',
  'link/no-common-version-426': 'An upgrade without a subprotocol in common is answered 426.',
  'link/426-names-versions': 'A 426 names the subprotocols that the service speaks in Sec-WebSocket-Protocol.',
  'link/401-before-426': 'With a wrong key and no subprotocol in common the answer is 401.',
  'link/refusal-object': 'The body of a refused upgrade is an error object with uid, code and message.',
  'link/welcome-first': 'The first frame of the service after hello is welcome.',
  'link/welcome-fields': 'welcome has computerId, accountId and heartbeatMs, integers from 1.',
  'link/welcome-account': 'welcome names the account of the key, even if that is a Child.',
  'link/any-key-opens': 'Any API key of an account opens the link.',
  'link/silent-before-hello': 'The service sends no message before hello except an error.',
  'link/unknown-fields-ignored': 'Fields that the service does not know are ignored.',
  'link/protocol-error-4400': 'A frame that is not a message of the page ends the connection with 4400.',
  'link/nothing-after-an-error': 'Frames after a protocol error are neither acknowledged nor applied.',
  'link/fragments-taken': 'The service accepts a message in several fragments.',
  'link/hello-waited-for': 'The service does not end a connection for lack of a hello within 10 seconds.',
  'link/no-hello-4400': 'A connection that ends for lack of a hello ends with 4400.',
  'link/long-frame-taken': 'A frame of 4194304 bytes is taken.',
  'link/too-long-frame-1009': 'A frame of more than 4194304 bytes ends the connection with 1009.',
  'link/reports-acknowledged': 'Each report is acknowledged once, under its id.',
  'link/applied-in-order': 'The reports of a connection are applied in the order in which they were sent.',
  'link/one-printer-a-key': 'The service keeps one printer for each key: a new name gives it no new id.',
  'link/last-of-equal-keys': 'The last of two printers with one key in a report counts.',
  'link/lists-are-complete':
    'A printer that is not in the last list no longer exists: an empty list means no printers.',
  'link/printer-key': 'A delivery names the key of the printer that its job is for.',
  'link/any-state-taken': 'A state of any name is taken and recorded.',
  'link/state-recorded-once': 'A job-state that is sent again is acknowledged, and recorded once.',
  'link/late-state-recorded': 'A state that comes after a final one is recorded.',
  'link/states-of-service-ignored':
    'new, sent_to_client and expired are acknowledged when a computer reports them, and not recorded.',
  'link/unknown-job-acknowledged': 'A report about a job that the service does not know is acknowledged.',
  'link/foreign-job-ignored': 'A report about a job of another computer is acknowledged, and not recorded.',
  'link/job-fields': 'A delivery has every field of the page, with its type.',
  'link/delivered-alike':
    'A job that is delivered again has the fields that it had at first, createTimestamp among them.',
  'link/unacknowledged-comes-again': 'A job that was not acknowledged is delivered again on the next connection.',
  'link/lost-comes-again':
    'A job that was acknowledged, and that the computer does not hold at hello, is delivered again.',
  'link/held-stays-away': 'A job that the computer holds at hello is not delivered again.',
  'link/finished-stays-away': 'A job that has had a final state is not delivered again.',
  'link/in-order-of-ids': 'After welcome, jobs come in the order of their ids.',
  'link/eight-unacknowledged': 'A connection has at most 8 deliveries that are not acknowledged.',
  'link/ended-not-sent': 'A queued job that expires or is cancelled is not sent.',
  'link/next-after-ack': 'The next delivery comes when one is acknowledged.',
  'link/not-repeated': 'A delivery is not repeated on the same connection.',
  'link/same-computer': 'An installation has the same computerId at each connection.',
  'link/other-installation-other-computer': 'Another installation is another computer, however similar the ids are.',
  'link/other-account-other-computer': 'The same installation in another account is a different computer.',
  'link/deleted-computer-4404': 'The connection of a computer that is deleted ends with 4404.',
  'link/revoked-key-4401': 'The connections of a key that is revoked end with 4401.',
  'link/deleted-computer-is-new': 'A deleted computer that connects again has a new computerId.',
  'link/newest-gets-deliveries': 'Only the newest of two connections of a computer gets deliveries.',
  'link/older-takes-over': 'When the newest connection ends, the one before gets deliveries again.',
  'link/connected-by-any': 'A computer counts as connected while it has any connection.',
  'link/pings': 'The service sends a ping every heartbeatMs.',
} as const satisfies Readonly<Record<`link/${string}`, string>>;

export type LinkClauseId = keyof typeof LINK_CLAUSES;

/** What the page says with "should". */
export const LINK_ADVICE: ReadonlySet<string> = new Set<LinkClauseId>(['link/revoked-key-4401']);
