import type { Say } from "../../../i18n/wording"
import type { pay } from "../../../i18n/en/pay"
import type { Language } from "../../../i18n/languages"
import type { FieldName, FormFields } from "../form/fields"
import type { CheckoutPage } from "../../../modules/gateway/checkout/page"

/** The data of the payment form's templates. */
export type FormView = {
  page: CheckoutPage
  language: Language
  t: Say<typeof pay>
  /** What was posted before, for the fields that may be shown again; empty at first. */
  entered: FormFields
  problems: ReadonlyMap<FieldName, string>
}

export function sessionPath(page: { session_id: string }): string {
  return `/pay/${page.session_id}`
}
