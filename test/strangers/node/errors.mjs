/** What is answered instead of success. */
export class Refusal extends Error {
  constructor(status, code, message, headers = {}) {
    super(message);
    Object.assign(this, { status, code, headers });
  }
}

export const notFound = (what) => new Refusal(404, 'Missing', `${what} is not here`);
export const unfit = (what) => new Refusal(400, 'Unfit', what);
export const unauthorized = (why) =>
  new Refusal(401, 'InvalidCredentials', why, { 'WWW-Authenticate': 'Basic realm=Api' });
