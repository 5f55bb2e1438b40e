/** An e-mail that is to go out. `occasion` is the same for every try of it, so that it need not go out twice. */
export type OutgoingMail = {
  occasion: string
  template: string
  to: string
  subject: string
  html: string
  text: string
  attachment: { filename: string; type: string; bytes: Buffer }
  /** For providers that render by a template of their own. */
  data: Record<string, unknown>
  resource: { id: string; type: string }
}

/** Hands an e-mail over to whoever sends it; throws when nobody takes it. */
export type Mailer = (mail: OutgoingMail) => Promise<void>

let mailer: Mailer | null = null

/** E-mail leaves through Medusa's notification module, beyond this module's border: src/workflows registers the way. */
export function registerMailer(given: Mailer): void {
  mailer = given
}

export function currentMailer(): Mailer | null {
  return mailer
}
