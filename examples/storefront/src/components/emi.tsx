import { h, type View } from "../lib/dom"
import { taka, whole } from "../lib/format"
import type { EmiOffers, EmiOption, OrderPlan } from "../store/emi"
import { t } from "../text"

const money = (text: string): string => taka(Number(text))
const months = (option: Pick<EmiOption, "tenure">): string => t.emi.months(whole(Number(option.tenure)))

/** "12 months, ৳1,130.21 a month, Padma Demo Bank: ৳13,812.50 in all" */
const labelOf = (option: EmiOption): string =>
  t.emi.chosen(months(option), money(option.monthly_installment), option.bank_name, money(option.total_with_fee))

/** The same of a cart's offer; its figures have the delivery as soon as the cart has. */
export const emiLabel = (option: EmiOption, hasDelivery: boolean): string => `${labelOf(option)}, ${part(hasDelivery)}`

const part = (hasDelivery: boolean): string => (hasDelivery ? t.emi.withDelivery : t.emi.beforeDelivery)

type EmiProps = {
  offers: EmiOffers
  open?: boolean
  chosen?: EmiOption | null
  /** Of a cart, which lets the shopper choose. Absent: the offers are shown without a choice. */
  cart?: { hasDelivery: boolean; onChoose: (uuid: string | null) => void }
}

/** Every bank's EMI offers, folded behind "from … a month" or behind the chosen one. */
export function Emi({ offers, open, chosen, cart }: EmiProps): View {
  const onChoose = cart?.onChoose
  const figures = chosen
    ? labelOf(chosen)
    : t.emi.from(money(offers.from.monthly_installment), money(offers.from.total_with_fee))
  const choices = (
    <div class="emi-banks">
      {onChoose && (
        <label class="emi-option">
          <input type="radio" name="emi" value="" checked={!chosen} onChange={() => onChoose(null)} />
          <span class="emi-months">{t.emi.none}</span>
        </label>
      )}
      {offers.banks.map(({ bank_name, options }) => (
        <div class="emi-bank">
          <p class="emi-bank-name">{bank_name}</p>
          {options.map((option) => (
            <Option option={option} chosen={option.uuid === chosen?.uuid} onChoose={onChoose} />
          ))}
        </div>
      ))}
    </div>
  )
  return (
    <details class="emi" open={open}>
      <summary>{cart ? `${figures}, ${part(cart.hasDelivery)}` : figures}</summary>
      {onChoose ? (
        <fieldset class="emi-choice">
          <legend class="visually-hidden">{t.emi.choose}</legend>
          {choices}
        </fieldset>
      ) : (
        choices
      )}
      <p class="muted small">{cart ? (cart.hasDelivery ? t.emi.cartNote : t.emi.cartNoteBefore) : t.emi.productNote}</p>
    </details>
  )
}

type OptionProps = { option: EmiOption; chosen: boolean; onChoose?: (uuid: string | null) => void }

function Option({ option, chosen, onChoose }: OptionProps): View {
  const figures = [
    <span class="emi-months">
      {months(option)}
      {option.lowest_cost && <span class="emi-mark">{t.emi.lowestCost}</span>}
    </span>,
    <span class="emi-monthly">{t.emi.perMonth(money(option.monthly_installment))}</span>,
    <span class="emi-details muted small">
      {option.merchant_bleeding
        ? t.emi.absorbed(money(option.total_with_fee))
        : t.emi.details(money(option.total_with_fee), money(option.total_interest), money(option.processing_fee))}
    </span>,
  ]
  return onChoose ? (
    <label class="emi-option">
      <input type="radio" name="emi" value={option.uuid} checked={chosen} onChange={() => onChoose(option.uuid)} />
      {figures}
    </label>
  ) : (
    <p class="emi-option">{figures}</p>
  )
}

type InstalmentsProps = { plan: OrderPlan; refunded: "none" | "some" | "all" }

/** What the customer pays to the bank, and when. */
export function OrderInstalments({ plan, refunded }: InstalmentsProps): View {
  return (
    <div class="panel order-emi">
      <h2>{t.emi.withBank(months(plan), plan.bank)}</h2>
      <dl class="totals">
        <div>
          <dt>{Number(plan.fee) > 0 ? t.emi.first : t.emi.firstOnly}</dt>
          <dd>{money(plan.first_payment)}</dd>
        </div>
        <div>
          <dt>{t.emi.then}</dt>
          <dd>{money(plan.monthly_installment)}</dd>
        </div>
        <div class="total">
          <dt>{t.emi.inAll}</dt>
          <dd>{money(plan.total_with_fee)}</dd>
        </div>
      </dl>
      {refunded !== "none" && <p class="muted small">{t.emi.afterRefund[refunded]}</p>}
    </div>
  )
}
