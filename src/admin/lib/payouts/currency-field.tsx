import { useText } from "../text"
import type { AdminError } from "../http"
import { ChoiceField } from "../ui/choice-field"
import { faultOf } from "../ui/form"
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
    <ChoiceField
      label={say("payments.currency")}
      fault={faultOf(error, "currency")}
      value={value}
      options={currencies.map((code) => ({ value: code, label: code }))}
      onChange={onChange}
    />
  )
}
