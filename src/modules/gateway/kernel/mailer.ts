/** An e-mail to send. `occasion` is the same for every attempt, so that a provider can drop duplicates. */
export type OutgoingMail = {
  occasion: string
  template: string
  to: string
  subject: string
  html: string
  text: string
  attachment: { filename: string; type: string; bytes: Buffer }
  /** For providers that render with a template of their own. */
  data: Record<string, unknown>
  resource: { id: string; type: string }
}

/** Passes an e-mail on to a provider; throws when there is none or it refuses. */
export type Mailer = (mail: OutgoingMail) => Promise<void>

let mailer: Mailer | null = null

/**
 * E-mail goes out through Medusa's notification module, which this module cannot import: the store registers the
 * function.
 */
export function registerMailer(given: Mailer): void {
  mailer = given
}

export function currentMailer(): Mailer | null {
  return mailer
}
