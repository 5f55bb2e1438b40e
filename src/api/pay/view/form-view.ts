import type { FieldName, FormFields } from "../form/fields"
import type { Language } from "../i18n/language"
import type { Messages } from "../i18n/messages"
import type { CheckoutPage } from "./checkout-page"

/** The data of the payment form's templates. */
export type FormView = {
  page: CheckoutPage
  language: Language
  t: Messages
  /** What was posted before, for the fields that may be shown again; empty at first. */
  entered: FormFields
  problems: ReadonlyMap<FieldName, string>
}

export function sessionPath(page: { session_id: string }): string {
  return `/pay/${page.session_id}`
}
