/**
 * Clauses about print jobs: submitting, options, documents, delivery, idempotency, listing, cancelling.
 */

import type { ClauseRows } from './clause.ts';

export const PRINT_JOB_CLAUSES = {
  // Submitting
  'print-jobs/created-201': {
    statement: 'POST /printjobs that is accepted answers 201.',
    needs: ['computer'],
  },
  'print-jobs/created-id-integer': {
    statement: 'The body of that 201 is the id of the new job, a bare integer.',
    needs: ['computer'],
  },
  'print-jobs/created-id-grows': {
    level: 'should',
    statement: 'A later job has a greater id, so that newest first is highest id first.',
    needs: ['computer'],
  },
  'print-jobs/created-listed': {
    statement: 'An accepted job is listed under the id that was returned.',
    needs: ['computer'],
  },
  'print-jobs/created-as-form': {
    statement: 'POST /printjobs takes the same fields as a form.',
    needs: ['computer'],
  },
  'print-jobs/answers-at-once': {
    statement: 'POST /printjobs answers without waiting for the delivery to the printer.',
    needs: ['computer'],
  },
  'print-jobs/accepted-while-disconnected': {
    statement: 'A job for a printer whose computer is disconnected is accepted.',
    needs: ['computer'],
  },
  'print-jobs/refused-leaves-nothing': {
    level: 'should',
    statement: 'A refused submission creates no job: none is listed, none is delivered.',
    needs: ['computer'],
  },

  // Fields of the body
  'print-jobs/body-printer-id': {
    statement: 'The job goes to the printer that printerId names.',
    needs: ['computer'],
  },
  'print-jobs/printer-id-missing-refused': { statement: 'A job without printerId is refused.' },
  'print-jobs/printer-id-unknown-refused': {
    level: 'should',
    statement: 'A job for a printer that does not exist is refused.',
  },
  'print-jobs/printer-id-foreign-refused': {
    level: 'should',
    statement: 'A job for a printer of another account is refused.',
    needs: ['second-account', 'computer'],
  },
  'print-jobs/body-content-type': {
    statement: 'contentType is one of pdf_uri, pdf_base64, raw_uri and raw_base64.',
    needs: ['computer'],
  },
  'print-jobs/content-type-pdf-uri': {
    statement: 'pdf_uri is accepted, and prints the PDF found at the URI.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/content-type-pdf-base64': {
    statement: 'pdf_base64 is accepted, and prints the PDF in the content.',
    needs: ['computer'],
  },
  'print-jobs/content-type-raw-uri': {
    statement: 'raw_uri is accepted, and sends the bytes found at the URI to the printer.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/content-type-raw-base64': {
    statement: 'raw_base64 is accepted, and sends the bytes in the content to the printer.',
    needs: ['computer'],
  },
  'print-jobs/content-type-missing-refused': {
    statement: 'A job without contentType is refused.',
    needs: ['computer'],
  },
  'print-jobs/content-type-other-refused': {
    level: 'should',
    statement: 'A job with another contentType is refused.',
    needs: ['computer'],
  },
  'print-jobs/body-content': {
    statement: 'content is a URI or base64, as contentType says, and that document is what the client gets.',
    needs: ['computer'],
  },
  'print-jobs/content-missing-refused': {
    statement: 'A job without content is refused.',
    needs: ['computer'],
  },
  'print-jobs/content-bytes-unharmed': {
    level: 'should',
    statement: 'The bytes of a base64 document reach the printer unchanged, NUL bytes included.',
    needs: ['computer'],
  },
  'print-jobs/only-required-fields': {
    statement: 'A job with nothing but printerId, contentType and content is accepted.',
    needs: ['computer'],
  },
  'print-jobs/body-title': {
    statement: 'title is the name shown in the print queue of the operating system.',
    needs: ['computer'],
  },
  'print-jobs/body-source': {
    statement: 'source takes a text that says where the job came from.',
    needs: ['computer'],
  },
  'print-jobs/body-options': {
    statement: 'options takes an object of print options, and the client gets them.',
    needs: ['computer'],
  },
  'print-jobs/options-null': { statement: 'options null means no options.', needs: ['computer'] },
  'print-jobs/options-empty': { statement: 'options {} means no options.', needs: ['computer'] },
  'print-jobs/options-untouched-by-service': {
    level: 'should',
    statement: 'The service passes options on as they were sent, and adds none of its own.',
    needs: ['computer'],
  },
  'print-jobs/options-no-effect-on-raw': {
    party: 'client',
    statement: 'Options change nothing about a RAW document.',
    needs: ['computer'],
  },
  'print-jobs/body-expire-after': {
    statement: 'expireAfter is the number of seconds the service keeps a job that it cannot deliver.',
    needs: ['computer'],
    span: 'seconds',
  },
  'print-jobs/expire-after-not-early': {
    level: 'should',
    statement:
      'A job does not expire before its expireAfter has passed, and a computer that connects just before still gets it.',
    needs: ['computer'],
    span: 'seconds',
  },
  'print-jobs/expire-after-delivered': {
    level: 'should',
    statement: 'A job delivered in time never expires afterwards.',
    needs: ['computer'],
    span: 'seconds',
  },
  'print-jobs/expired-not-delivered': {
    level: 'should',
    statement: 'An expired job is not delivered to a computer that connects later.',
    needs: ['computer'],
    span: 'seconds',
  },
  'print-jobs/body-qty': {
    party: 'client',
    statement: 'The document is delivered to the print queue qty times.',
    needs: ['computer'],
  },
  'print-jobs/qty-zero-refused': {
    statement: 'A qty of 0 is not positive and is refused.',
    needs: ['computer'],
  },
  'print-jobs/qty-negative-refused': { statement: 'A negative qty is refused.', needs: ['computer'] },
  'print-jobs/qty-without-driver': {
    party: 'client',
    statement: 'qty works on a printer whose driver does not support copies.',
    needs: ['computer'],
  },
  'print-jobs/qty-raw': {
    party: 'client',
    statement: 'qty makes several copies of a RAW document.',
    needs: ['computer'],
  },
  'print-jobs/qty-times-copies': {
    level: 'should',
    party: 'client',
    statement: 'qty and copies multiply.',
    needs: ['computer'],
  },
  'print-jobs/body-authentication': {
    statement:
      'authentication is taken for a document whose URI needs HTTP authentication, and the client gets it.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/document-authentication-type': {
    statement: 'type of authentication is BasicAuth or DigestAuth.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/document-authentication-credentials': {
    statement: 'credentials of authentication is an object with the strings user and pass.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/document-authentication-basic': {
    party: 'client',
    statement: 'With BasicAuth the client fetches a document behind HTTP Basic.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/document-authentication-digest': {
    party: 'client',
    statement: 'With DigestAuth the client fetches a document behind HTTP Digest.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/document-authentication-wrong': {
    level: 'should',
    party: 'client',
    statement: 'Where the document host refuses the credentials the job ends in error.',
    needs: ['computer', 'document-host'],
  },

  // Options, as the client carries them out
  'print-jobs/option-bin': {
    party: 'client',
    statement: 'bin, one of the bins of the printer, chooses the tray.',
    needs: ['computer'],
  },
  'print-jobs/option-bin-empty': {
    party: 'client',
    statement: 'An empty bin does not fail the job.',
    needs: ['computer'],
  },
  'print-jobs/option-collate': {
    party: 'client',
    statement: 'collate decides whether copies are collated.',
    needs: ['computer'],
  },
  'print-jobs/option-collate-absent': {
    party: 'client',
    statement: 'Without collate the printer default applies.',
    needs: ['computer'],
  },
  'print-jobs/option-color': {
    party: 'client',
    statement: 'color false prints in grayscale.',
    needs: ['computer'],
  },
  'print-jobs/option-color-absent': {
    party: 'client',
    statement: 'Without color the printer default applies.',
    needs: ['computer'],
  },
  'print-jobs/option-color-engine6': {
    party: 'client',
    statement: 'color has an effect only on Windows with the Engine6 backend.',
    needs: ['computer'],
  },
  'print-jobs/option-copies': {
    party: 'client',
    statement: 'copies prints the document that many times.',
    needs: ['computer'],
  },
  'print-jobs/option-copies-default': {
    party: 'client',
    statement: 'Without copies one copy is printed.',
    needs: ['computer'],
  },
  'print-jobs/option-copies-positive': {
    party: 'caller',
    statement: 'A caller sends copies that are positive.',
  },
  'print-jobs/option-dpi': {
    party: 'client',
    statement: 'dpi, one of the dpis of the printer, sets the resolution.',
    needs: ['computer'],
  },
  'print-jobs/option-dpi-empty': {
    party: 'client',
    statement: 'An empty dpi does not fail the job.',
    needs: ['computer'],
  },
  'print-jobs/option-duplex': {
    party: 'client',
    statement: 'duplex is long-edge, short-edge or one-sided.',
    needs: ['computer'],
  },
  'print-jobs/option-duplex-long-edge': {
    party: 'client',
    statement: 'duplex long-edge prints on both sides, turned over the long edge.',
    needs: ['computer'],
  },
  'print-jobs/option-duplex-short-edge': {
    party: 'client',
    statement: 'duplex short-edge prints on both sides, turned over the short edge.',
    needs: ['computer'],
  },
  'print-jobs/option-duplex-one-sided': {
    party: 'client',
    statement: 'duplex one-sided prints on one side.',
    needs: ['computer'],
  },
  'print-jobs/option-duplex-absent': {
    party: 'client',
    statement: 'Without duplex the printer default applies.',
    needs: ['computer'],
  },
  'print-jobs/option-fit-to-page': {
    party: 'client',
    statement: 'fit_to_page true fits the document to the page.',
    needs: ['computer'],
  },
  'print-jobs/option-fit-to-page-engine6': {
    party: 'client',
    statement: 'On Windows fit_to_page has an effect only with the Engine6 backend.',
    needs: ['computer'],
  },
  'print-jobs/option-media': {
    party: 'client',
    statement: 'media, one of the medias of the printer, chooses the medium.',
    needs: ['computer'],
  },
  'print-jobs/option-media-empty': {
    party: 'client',
    statement: 'An empty media does not fail the job.',
    needs: ['computer'],
  },
  'print-jobs/option-media-without-bin': {
    level: 'observed',
    party: 'client',
    statement: 'Some macOS printers ignore media unless bin is set too.',
    needs: ['computer'],
  },
  'print-jobs/option-nup': {
    party: 'client',
    statement: 'nup, one of the nup values of the printer, puts that many pages on a sheet.',
    needs: ['computer'],
  },
  'print-jobs/option-nup-default': {
    party: 'client',
    statement: 'Without nup one page is put on a sheet.',
    needs: ['computer'],
  },
  'print-jobs/option-nup-macos': {
    party: 'client',
    statement: 'nup has an effect only on macOS.',
    needs: ['computer'],
  },
  'print-jobs/option-pages': {
    party: 'client',
    statement: 'pages prints the pages that a page set names, and no other.',
    needs: ['computer'],
  },
  'print-jobs/option-pages-list': {
    party: 'client',
    statement: 'pages 1,3 prints pages 1 and 3.',
    needs: ['computer'],
  },
  'print-jobs/option-pages-open-start': {
    party: 'client',
    statement: 'pages -5 prints pages 1 to 5.',
    needs: ['computer'],
  },
  'print-jobs/option-pages-all': {
    party: 'client',
    statement: 'pages - prints all pages.',
    needs: ['computer'],
  },
  'print-jobs/option-pages-open-end': {
    party: 'client',
    statement: 'pages 1,3- prints all pages but page 2.',
    needs: ['computer'],
  },
  'print-jobs/option-pages-outside': {
    party: 'client',
    statement: 'pages outside the page range of the document end in an error.',
    needs: ['computer'],
  },
  'print-jobs/option-paper': {
    party: 'client',
    statement: 'paper, one of the papers of the printer, chooses the paper.',
    needs: ['computer'],
  },
  'print-jobs/option-paper-empty': {
    party: 'client',
    statement: 'An empty paper does not fail the job.',
    needs: ['computer'],
  },
  'print-jobs/option-rotate': {
    party: 'client',
    statement: 'rotate is 0, 90, 180 or 270.',
    needs: ['computer'],
  },
  'print-jobs/option-rotate-absolute': {
    party: 'client',
    statement: 'rotate is absolute: it does not add to the rotation the document has.',
    needs: ['computer'],
  },
  'print-jobs/option-rotate-half-turns': {
    level: 'observed',
    party: 'client',
    statement: 'Some drivers treat 180 and 270 like 0 and 90.',
    needs: ['computer'],
  },

  // Documents
  'print-jobs/uri-fetched-by-client': {
    party: 'client',
    statement: 'The document of a _uri job is fetched by the client.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/uri-not-fetched-by-service': {
    statement: 'The document of a _uri job never reaches the service.',
    needs: ['computer', 'document-host'],
  },
  'print-jobs/uri-unreachable-accepted': {
    level: 'should',
    statement: 'A _uri job is accepted whether or not the document can be fetched.',
    needs: ['computer'],
  },
  'print-jobs/uri-failure-is-error': {
    level: 'should',
    party: 'client',
    statement: 'A document that cannot be fetched ends its job in error, with a message.',
    needs: ['computer', 'document-host'],
  },

  // Delivery
  'print-jobs/delivered': {
    statement: 'A job for a connected computer is sent to its client.',
    needs: ['computer'],
  },
  'print-jobs/delivered-to-its-computer': {
    level: 'should',
    statement: 'A job is sent to the computer of its printer and to no other.',
    needs: ['computer'],
  },
  'print-jobs/delivered-once': {
    level: 'should',
    statement: 'A job is printed once, however the connection behaves.',
    needs: ['computer'],
  },
  'print-jobs/delivered-in-order': {
    level: 'should',
    statement: 'Jobs for one printer are sent in the order in which they were accepted.',
    needs: ['computer'],
  },
  'print-jobs/sent-on-reconnect': {
    statement: 'A job for a disconnected computer waits, and is sent when the computer reconnects.',
    needs: ['computer'],
  },

  // Idempotency
  'print-jobs/idempotency-conflict': {
    statement: 'A job with an X-Idempotency-Key that an earlier one used is refused with 409.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-first-accepted': {
    statement: 'The first job with a key is accepted like one without.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-optional': {
    statement: 'Equal jobs without a key are all accepted.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-other-key': {
    statement: 'Equal jobs with different keys are all accepted.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-key-counts': {
    statement: 'The key alone counts: a different job with a used key is refused too.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-conflict-no-job': {
    level: 'should',
    statement: 'A job refused with 409 is neither listed nor printed, and the first one is untouched.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-other-account': {
    level: 'should',
    statement: 'The same key of another account does not collide.',
    needs: ['second-account', 'computer'],
  },
  'print-jobs/idempotency-refused-frees': {
    level: 'should',
    statement: 'A submission that was refused for another reason does not use its key up.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-in-parallel': {
    level: 'should',
    statement: 'Of several submissions with one key at the same time exactly one is accepted.',
    needs: ['computer'],
  },
  'print-jobs/idempotency-empty-key': {
    level: 'should',
    statement: 'An empty X-Idempotency-Key counts as none.',
    needs: ['computer'],
  },

  // Listing
  'print-jobs/list': { statement: 'GET /printjobs answers 200 with an array of the jobs of the account.' },
  'print-jobs/list-set': {
    statement: 'GET /printjobs/{print_job_set} answers 200 with an array of the jobs in the set.',
    needs: ['computer'],
  },
  'print-jobs/list-of-printers': {
    statement:
      'GET /printers/{printer_set}/printjobs answers 200 with an array of the jobs of those printers.',
    needs: ['computer'],
  },
  'print-jobs/list-of-printers-only': {
    statement: 'GET /printers/{printer_set}/printjobs lists no job of another printer.',
    needs: ['computer'],
  },
  'print-jobs/list-set-of-printers': {
    statement:
      'GET /printers/{printer_set}/printjobs/{print_job_set} answers 200 with an array of the jobs that are in the one set and of a printer in the other.',
    needs: ['computer'],
  },
  'print-jobs/paginated': {
    statement: 'Lists of print jobs take limit, after and dir.',
    needs: ['computer'],
  },

  // States
  'print-jobs/states-all': {
    statement: 'GET /printjobs/states answers 200 with print job state objects of the jobs of the account.',
  },
  'print-jobs/states-set': {
    statement:
      'GET /printjobs/{print_job_set}/states answers 200 with print job state objects of the jobs in the set.',
    needs: ['computer'],
  },
  'print-jobs/states-set-only': {
    statement: 'GET /printjobs/{print_job_set}/states shows no state of a job outside the set.',
    needs: ['computer'],
  },

  // Cancelling
  'print-jobs/delete-all': {
    statement: 'DELETE /printjobs cancels all jobs of the account that are not yet delivered.',
    needs: ['computer'],
  },
  'print-jobs/delete-set': {
    statement: 'DELETE /printjobs/{print_job_set} cancels the jobs in the set that are not yet delivered.',
    needs: ['computer'],
  },
  'print-jobs/delete-of-printers': {
    statement:
      'DELETE /printers/{printer_set}/printjobs cancels the jobs of those printers that are not yet delivered.',
    needs: ['computer'],
  },
  'print-jobs/delete-set-of-printers': {
    statement:
      'DELETE /printers/{printer_set}/printjobs/{print_job_set} cancels the jobs that are in the one set and of a printer in the other, and not yet delivered.',
    needs: ['computer'],
  },
  'print-jobs/delete-200-ids': {
    statement: 'A cancellation answers 200 with an array of the ids of the cancelled jobs.',
    needs: ['computer'],
  },
  'print-jobs/delete-leaves-others': {
    statement: 'A cancellation leaves jobs that its sets do not name.',
    needs: ['computer'],
  },
  'print-jobs/delete-all-beyond-a-page': {
    level: 'should',
    statement: 'DELETE /printjobs is not restricted to a page of 100.',
    needs: ['computer', 'many-jobs'],
  },
  'print-jobs/delete-delivered-not-cancelled': {
    statement: 'A job already delivered to the client is not cancelled, and not among the ids.',
    needs: ['computer'],
  },
  'print-jobs/delete-completed-not-cancelled': {
    statement: 'A completed job is not cancelled, and not among the ids.',
    needs: ['computer'],
  },
  'print-jobs/delete-expired-not-cancelled': {
    level: 'should',
    statement: 'An expired job is not cancelled, and not among the ids.',
    needs: ['computer'],
    span: 'seconds',
  },
  'print-jobs/delete-nothing': {
    level: 'should',
    statement: 'A cancellation that affects nothing answers 200 with an empty array.',
  },
  'print-jobs/cancelled-not-delivered': {
    level: 'should',
    statement: 'A cancelled job is not sent when the computer reconnects.',
    needs: ['computer'],
  },
  'print-jobs/cancelled-does-not-expire': {
    level: 'should',
    statement: 'A cancelled job does not expire later.',
    needs: ['computer'],
    span: 'seconds',
  },
} as const satisfies ClauseRows;
