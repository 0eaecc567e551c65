/**
 * Clauses about print jobs: submitting, options, documents, delivery, idempotency, listing, cancelling.
 */

import { given } from './clause.ts';

export const PRINT_JOB_CLAUSES = [
  // Submitting
  given({ needs: ['computer'] }).must({
    'print-jobs/created-201': 'POST /printjobs that is accepted answers 201.',
    'print-jobs/created-id-integer': 'The body of that 201 is the id of the new job, a bare integer.',
    'print-jobs/created-listed': 'An accepted job is listed under the id that was returned.',
    'print-jobs/created-as-form': 'POST /printjobs takes the same fields as a form.',
    'print-jobs/answers-at-once': 'POST /printjobs answers without waiting for the delivery to the printer.',
    'print-jobs/accepted-while-disconnected': 'A job for a printer whose computer is disconnected is accepted.',
    'print-jobs/created-id-grows': 'A later job has a greater id, so that newest first is highest id first.',
    'print-jobs/refused-leaves-nothing': 'A refused submission creates no job: none is listed, none is delivered.',
  }),

  // Fields of the body
  given({ needs: ['computer'] }).must({
    'print-jobs/body-printer-id': 'The job goes to the printer that printerId names.',
    'print-jobs/body-content-type': 'contentType is one of pdf_uri, pdf_base64, raw_uri and raw_base64.',
    'print-jobs/content-type-pdf-base64': 'pdf_base64 is accepted, and prints the PDF in the content.',
    'print-jobs/content-type-raw-base64': 'raw_base64 is accepted, and sends the bytes in the content to the printer.',
    'print-jobs/content-type-missing-refused': 'A job without contentType is refused.',
    'print-jobs/body-content':
      'content is a URI or base64, as contentType says, and that document is what the client gets.',
    'print-jobs/content-missing-refused': 'A job without content is refused.',
    'print-jobs/only-required-fields': 'A job with only printerId, contentType and content is accepted.',
    'print-jobs/body-title': 'title is the name shown in the print queue of the operating system.',
    'print-jobs/body-options': 'options takes an object of print options, and the client gets them.',
    'print-jobs/options-null': 'options null means no options.',
    'print-jobs/options-empty': 'options {} means no options.',
    'print-jobs/qty-zero-refused': 'A qty of 0 is not positive and is refused.',
    'print-jobs/qty-negative-refused': 'A negative qty is refused.',
    'print-jobs/qty-passed-on': 'The client gets the qty that was sent, and 1 where none was.',
    'print-jobs/authentication-passed-on': 'The client gets the authentication that was sent, and none where none was.',
    'print-jobs/content-bytes-unharmed':
      'The bytes of a base64 document reach the printer unchanged, NUL bytes included.',
    'print-jobs/options-untouched-by-service':
      'The service passes options that it takes on as they were sent, and adds none of its own.',
  }),
  given({ needs: ['computer'] }).should({
    'print-jobs/body-source': 'source takes a text that says where the job came from, and the client gets it.',
    'print-jobs/content-type-other-refused': 'A job with another contentType is refused.',
  }),
  given().must({
    'print-jobs/printer-id-missing-refused': 'A job without printerId is refused.',
  }),
  given().should({
    'print-jobs/printer-id-unknown-refused': 'A job for a printer that does not exist is refused.',
  }),
  given({ needs: ['second-account', 'computer'] }).should({
    'print-jobs/printer-id-foreign-refused': 'A job for a printer of another account is refused.',
  }),
  given({ needs: ['computer', 'document-host'] }).must({
    'print-jobs/content-type-pdf-uri': 'pdf_uri is accepted, and prints the PDF found at the URI.',
    'print-jobs/content-type-raw-uri': 'raw_uri is accepted, and sends the bytes found at the URI to the printer.',
    'print-jobs/body-authentication':
      'authentication is taken for a document whose URI needs HTTP authentication, and the client gets it.',
    'print-jobs/document-authentication-type': 'type of authentication is BasicAuth or DigestAuth.',
    'print-jobs/document-authentication-credentials':
      'credentials of authentication is an object with the strings user and pass.',
  }),
  given({ party: 'client', needs: ['computer'] }).must({
    'print-jobs/options-no-effect-on-raw': 'Options change nothing about a RAW document.',
    'print-jobs/body-qty': 'The document is delivered to the print queue qty times.',
    'print-jobs/qty-without-driver': 'qty works on a printer whose driver does not support copies.',
    'print-jobs/qty-raw': 'qty makes several copies of a RAW document.',
  }),
  given({ party: 'client', needs: ['computer'] }).should({
    'print-jobs/qty-times-copies': 'qty and copies multiply.',
  }),
  given({ needs: ['computer'], span: 'seconds' }).must({
    'print-jobs/body-expire-after':
      'expireAfter is the number of seconds the service keeps a job that it cannot deliver.',
    'print-jobs/expire-after-not-early':
      'A job does not expire before its expireAfter has passed, and a computer that connects just before still gets it.',
    'print-jobs/expire-after-delivered': 'A job delivered in time never expires afterwards.',
    'print-jobs/expired-not-delivered': 'An expired job is not delivered to a computer that connects later.',
  }),
  given({ party: 'client', needs: ['computer', 'document-host'] }).must({
    'print-jobs/document-authentication-basic': 'With BasicAuth the client fetches a document behind HTTP Basic.',
    'print-jobs/document-authentication-digest': 'With DigestAuth the client fetches a document behind HTTP Digest.',
  }),
  given({ party: 'client', needs: ['computer', 'document-host'] }).should({
    'print-jobs/document-authentication-wrong':
      'Where the document host refuses the credentials the job ends in error.',
  }),

  // Print options
  given({ party: 'client', needs: ['computer'] }).must({
    'print-jobs/option-bin': 'bin, one of the bins of the printer, chooses the tray.',
    'print-jobs/option-bin-empty': 'An empty bin does not fail the job.',
    'print-jobs/option-collate': 'collate decides whether copies are collated.',
    'print-jobs/option-collate-absent': 'Without collate the printer default applies.',
    'print-jobs/option-color': 'color false prints in grayscale.',
    'print-jobs/option-color-absent': 'Without color the printer default applies.',
    'print-jobs/option-color-engine6': 'color has an effect only on Windows with the Engine6 backend.',
    'print-jobs/option-copies': 'copies prints the document that many times.',
    'print-jobs/option-copies-default': 'Without copies one copy is printed.',
    'print-jobs/option-dpi': 'dpi, one of the dpis of the printer, sets the resolution.',
    'print-jobs/option-dpi-empty': 'An empty dpi does not fail the job.',
    'print-jobs/option-duplex': 'duplex is long-edge, short-edge or one-sided.',
    'print-jobs/option-duplex-long-edge': 'duplex long-edge prints on both sides, turned over the long edge.',
    'print-jobs/option-duplex-short-edge': 'duplex short-edge prints on both sides, turned over the short edge.',
    'print-jobs/option-duplex-one-sided': 'duplex one-sided prints on one side.',
    'print-jobs/option-duplex-absent': 'Without duplex the printer default applies.',
    'print-jobs/option-fit-to-page': 'fit_to_page true fits the document to the page.',
    'print-jobs/option-fit-to-page-engine6': 'On Windows fit_to_page has an effect only with the Engine6 backend.',
    'print-jobs/option-media': 'media, one of the medias of the printer, chooses the medium.',
    'print-jobs/option-media-empty': 'An empty media does not fail the job.',
    'print-jobs/option-nup': 'nup, one of the nup values of the printer, puts that many pages on a sheet.',
    'print-jobs/option-nup-default': 'Without nup one page is put on a sheet.',
    'print-jobs/option-nup-macos': 'nup has an effect only on macOS.',
    'print-jobs/option-pages': 'pages prints the pages that a page set names, and no other.',
    'print-jobs/option-pages-list': 'pages 1,3 prints pages 1 and 3.',
    'print-jobs/option-pages-open-start': 'pages -5 prints pages 1 to 5.',
    'print-jobs/option-pages-all': 'pages - prints all pages.',
    'print-jobs/option-pages-open-end': 'pages 1,3- prints all pages but page 2.',
    'print-jobs/option-pages-outside': 'pages outside the page range of the document end in an error.',
    'print-jobs/option-paper': 'paper, one of the papers of the printer, chooses the paper.',
    'print-jobs/option-paper-empty': 'An empty paper does not fail the job.',
    'print-jobs/option-rotate': 'rotate is 0, 90, 180 or 270.',
    'print-jobs/option-rotate-absolute': 'rotate is absolute: it does not add to the rotation the document has.',
  }),
  given({ party: 'client', needs: ['computer'] }).observed({
    'print-jobs/option-media-without-bin': 'Some macOS printers ignore media unless bin is set too.',
    'print-jobs/option-rotate-half-turns': 'Some drivers treat 180 and 270 like 0 and 90.',
  }),
  given({ party: 'caller' }).must({
    'print-jobs/option-copies-positive': 'A caller sends copies that are positive.',
  }),
  given({ party: 'caller' }).should({
    'print-jobs/caller-sends-key':
      'A caller that submits a job again, since no definite answer came, has given it an idempotency key.',
    'print-jobs/caller-keeps-key': 'A caller that submits a job again sends the idempotency key of its first try.',
    'print-jobs/caller-own-conflict':
      'A caller takes 409 on a key that it has sent before for what it is: the job was taken by an earlier try.',
  }),

  // Documents and delivery
  given({ party: 'client', needs: ['computer', 'document-host'] }).must({
    'print-jobs/uri-fetched-by-client': 'The document of a _uri job is fetched by the client.',
  }),
  given({ party: 'client', needs: ['computer', 'document-host'] }).should({
    'print-jobs/uri-failure-is-error': 'A document that cannot be fetched ends its job in error, with a message.',
  }),
  given({ needs: ['computer', 'document-host'] }).must({
    'print-jobs/uri-not-fetched-by-service': 'The document of a _uri job never reaches the service.',
  }),
  given({ needs: ['computer'] }).must({
    'print-jobs/delivered': 'A job for a connected computer is sent to its client.',
    'print-jobs/sent-on-reconnect':
      'A job for a disconnected computer waits, and is sent when the computer reconnects.',
    'print-jobs/delivered-to-its-computer': 'A job is sent to the computer of its printer and to no other.',
  }),
  given({ needs: ['computer'] }).should({
    'print-jobs/uri-unreachable-accepted': 'A _uri job is accepted whether or not the document can be fetched.',
    'print-jobs/delivered-once': 'A job is printed once, however the connection behaves.',
    'print-jobs/delivered-in-order': 'Jobs for one printer are sent in the order in which they were accepted.',
  }),

  // Idempotency
  given({ needs: ['computer'] }).must({
    'print-jobs/idempotency-conflict': 'A job with an X-Idempotency-Key that an earlier one used is refused with 409.',
    'print-jobs/idempotency-first-accepted': 'The first job with a key is accepted like one without.',
    'print-jobs/idempotency-optional': 'Equal jobs without a key are all accepted.',
    'print-jobs/idempotency-other-key': 'Equal jobs with different keys are all accepted.',
    'print-jobs/idempotency-key-counts': 'Only the key counts: a different job with a used key is refused.',
    'print-jobs/idempotency-conflict-no-job':
      'A job refused with 409 is neither listed nor printed, and the first one is untouched.',
    'print-jobs/idempotency-in-parallel':
      'Of several submissions with one key at the same time exactly one is accepted.',
  }),

  // Listing
  given().must({
    'print-jobs/list': 'GET /printjobs answers 200 with an array of the jobs of the account.',
    'print-jobs/states-all':
      'GET /printjobs/states answers 200 with print job state objects of the jobs of the account.',
  }),
  given({ needs: ['computer'] }).must({
    'print-jobs/list-set': 'GET /printjobs/{print_job_set} answers 200 with an array of the jobs in the set.',
    'print-jobs/list-of-printers':
      'GET /printers/{printer_set}/printjobs answers 200 with an array of the jobs of those printers.',
    'print-jobs/list-of-printers-only': 'GET /printers/{printer_set}/printjobs lists no job of another printer.',
    'print-jobs/list-set-of-printers':
      'GET /printers/{printer_set}/printjobs/{print_job_set} answers 200 with an array of the jobs that are in the one set and of a printer in the other.',
    'print-jobs/paginated': 'Lists of print jobs take limit, after and dir.',
    'print-jobs/states-set':
      'GET /printjobs/{print_job_set}/states answers 200 with print job state objects of the jobs in the set.',
    'print-jobs/states-set-only': 'GET /printjobs/{print_job_set}/states shows no state of a job outside the set.',
  }),

  // Cancelling
  given({ needs: ['computer'] }).must({
    'print-jobs/delete-all': 'DELETE /printjobs cancels all jobs of the account that are not yet delivered.',
    'print-jobs/delete-set':
      'DELETE /printjobs/{print_job_set} cancels the jobs in the set that are not yet delivered.',
    'print-jobs/delete-of-printers':
      'DELETE /printers/{printer_set}/printjobs cancels the jobs of those printers that are not yet delivered.',
    'print-jobs/delete-set-of-printers':
      'DELETE /printers/{printer_set}/printjobs/{print_job_set} cancels the jobs that are in the one set and of a printer in the other, and not yet delivered.',
    'print-jobs/delete-200-ids': 'A cancellation answers 200 with an array of the ids of the cancelled jobs.',
    'print-jobs/delete-leaves-others': 'A cancellation leaves jobs that its sets do not name.',
    'print-jobs/delete-delivered-not-cancelled':
      'A job already delivered to the client is not cancelled, and not among the ids.',
    'print-jobs/delete-completed-not-cancelled': 'A completed job is not cancelled, and not among the ids.',
    'print-jobs/cancelled-not-delivered': 'A cancelled job is not sent when the computer reconnects.',
  }),
  given({ needs: ['computer', 'many-jobs'] }).should({
    'print-jobs/delete-all-beyond-a-page': 'DELETE /printjobs is not restricted to a page of 100.',
  }),
  given({ needs: ['computer'], span: 'seconds' }).should({
    'print-jobs/cancelled-does-not-expire': 'A cancelled job does not expire later.',
  }),
  given().must({
    'print-jobs/delete-nothing':
      'A cancellation that affects none of the existing jobs answers 200 with an empty array.',
  }),
];
