import { useText } from "../text"
import type { AdminError } from "../http"
import { Choice } from "../ui/choice"
import { faultOf, Field } from "../ui/form"
import { useCurrencies } from "./balance"

type Props = { value: string; onChange: (currency: string) => void; error: AdminError | null }

/** A choice between the merchant's currencies; nothing while there is only one. */
export const CurrencyField = ({ value, onChange, error }: Props) => {
  const say = useText()
  const currencies = useCurrencies()
  if (currencies.length < 2) {
    return null
  }
  return (
    <Field label={say("payments.currency")} fault={faultOf(error, "currency")}>
      {(tied) => (
        <Choice
          tied={tied}
          value={value}
          options={currencies.map((code) => ({ value: code, label: code }))}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
