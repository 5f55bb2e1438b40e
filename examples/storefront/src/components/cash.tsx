import {
  formatMoney,
  textsOf,
  type ChosenCash,
  type OrderCash,
  type OrderPayment,
  type ShopperError,
} from "medusa-payment-gateway/storefront"
import { byId, fill, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { chooseCash, confirmCode, placeInCash, sendCode } from "../store/cash"
import { payAt, type PaymentPage } from "../store/payment"
import type { Cart } from "../store/types"
import { language, t } from "../text"
import { Field, setFieldError } from "./field"
import { isBusy, NoticeArea, showProblem, whileBusy } from "./notice"

const { cash: texts, errors } = textsOf(language)
const money = (amount: string): string => formatMoney(amount, "BDT", language)
const isNothing = (amount: string): boolean => Number(amount) === 0

export type CashChoice = {
  view: View
  /** Chooses cash for the cart and shows both sums; resolves when they are there, or (false) why they are not. */
  show: (cart: Cart) => Promise<boolean>
  /** What the button says. */
  label: () => string
  isOnline: () => boolean
  /** Places the order, or answers where the advance is paid. Null: refused, and why stands where it belongs already. */
  confirm: (cart: Cart) => Promise<string | PaymentPage | ShopperError | null>
}

/** Both sums before the shopper confirms, and the code where the store asks for one. `changed`: the label has changed. */
export function cashChoice(changed: () => void): CashChoice {
  let chosen: ChosenCash | null = null
  const sums = <p id="cash-sums" role="status" />
  const code = <div id="cash-code" />
  const area = <NoticeArea id="cash-problem" />
  const view = (
    <div class="cash">
      {sums}
      {code}
      {area}
    </div>
  )

  async function show(cart: Cart): Promise<boolean> {
    fill(sums, texts.description)
    area.replaceChildren()
    const answer = await chooseCash(cart).catch(unreachable)
    chosen = "code" in answer ? null : answer
    fill(sums, chosen === null ? texts.description : sumsOf(chosen))
    fill(code, chosen?.needsCode ? <CodeFields cart={cart} /> : null)
    if ("code" in answer) {
      showProblem(area, answer.message)
    }
    changed()
    return chosen !== null
  }

  async function confirm(cart: Cart): Promise<string | PaymentPage | ShopperError | null> {
    if (chosen === null) {
      // Nobody confirms sums that they have not seen.
      const unseen = { message: errors.advance_changed, detail: "the sums were not shown" }
      return (await show(cart)) ? { code: "advance_changed", ...unseen } : null
    }
    if (chosen.url !== null && chosen.sessionId !== null) {
      return payAt(chosen.url, chosen.sessionId)
    }
    const refused = chosen.needsCode ? await enterCode(cart, code) : null
    if (refused !== null) {
      return refused === AT_FIELD ? null : refused
    }
    const placed = await placeInCash(cart)
    if (typeof placed !== "string" && placed.code === "advance_changed") {
      await show(cart)
    }
    return placed
  }

  return {
    view,
    show,
    confirm,
    label: () => (chosen === null || isNothing(chosen.dueNow) ? texts.place : texts.payAdvance(money(chosen.dueNow))),
    isOnline: () => chosen !== null && chosen.url !== null,
  }
}

/** config.json, or the cart's language, could not be had: the kit itself never rejects. */
function unreachable(error: unknown): ShopperError {
  return { code: "network", message: describeError(error), detail: String(error) }
}

function sumsOf({ dueNow, dueInCash }: ChosenCash): string {
  return isNothing(dueNow) ? texts.atDoor(money(dueInCash)) : texts.sums(money(dueNow), money(dueInCash))
}

/** The code is asked for by the shopper: each message costs the shop money, and a phone gets few. */
function CodeFields({ cart }: { cart: Cart }): View {
  const state = <div role="status" />
  const fields = <div />
  const area = <NoticeArea id="code-problem" />
  const button = (
    <button class="button button-quiet" id="send-code" type="button" onClick={() => void send()}>
      {texts.sendCode}
    </button>
  ) as HTMLButtonElement

  async function send(): Promise<void> {
    if (isBusy(button)) {
      return
    }
    area.replaceChildren()
    try {
      const sent = await whileBusy(button, t.pay.sending, () => sendCode(cart))
      if ("code" in sent) {
        showProblem(area, sent.message)
        return
      }
      fill(state, <p>{texts.codeSent(sent.sentTo)}</p>)
      fill(button, texts.sendAgain)
      fill(
        fields,
        <Field id="code" label={texts.code} hint={texts.codeHint} inputmode="numeric" autocomplete="one-time-code" />
      )
      byId<HTMLInputElement>(fields, "code").focus()
    } catch (error) {
      showProblem(area, describeError(error))
    }
  }

  return (
    <div>
      {state}
      {fields}
      {button}
      {area}
    </div>
  )
}

/** What is wrong with the code stands at its field, and nowhere else: a screen reader would say it twice. */
const AT_FIELD = "at its field"

/** Null: the code is right. */
async function enterCode(cart: Cart, place: View): Promise<ShopperError | typeof AT_FIELD | null> {
  const input = place.querySelector<HTMLInputElement>("#code")
  const typed = input?.value.trim() ?? ""
  const refused: ShopperError | null =
    typed === ""
      ? { code: "code_needed", message: errors.code_needed, detail: "no code was entered" }
      : await confirmCode(cart, typed)
  // Without a connection nothing is wrong with the code.
  const isAtField = input !== null && refused !== null && refused.code.startsWith("code_")
  if (input !== null) {
    setFieldError(place as HTMLElement, "code", isAtField ? refused.message : null)
  }
  if (isAtField) {
    input.focus()
  }
  return isAtField ? AT_FIELD : refused
}

/** What is due of an order in cash; without a sum to strangers, and of one of which nothing is due any more. */
export function cashText(cash: OrderCash | null): string {
  return cash === null || isNothing(cash.due) ? texts.title : `${texts.due}: ${money(cash.due)}`
}

/** What of an order was paid in advance, what came in cash, and what is due at the door. */
export function OrderCashFacts({ cash, payment }: { cash: OrderCash; payment: OrderPayment | null }): View {
  return (
    <div id="order-cash">
      <p>{texts.title}</p>
      <Fact label={texts.advance} amount={cash.advance} more={payment?.method} />
      <Fact label={texts.collected} amount={cash.collected} />
      <Fact label={texts.returned} amount={cash.returned} />
      <Fact label={texts.due} amount={cash.due} strong />
    </div>
  )
}

type FactProps = { label: string; amount: string; more?: string; strong?: boolean }

function Fact({ label, amount, more, strong }: FactProps): View {
  return (
    <p hidden={isNothing(amount)}>
      {label}: <span class={strong ? "amount strong" : "amount"}>{money(amount)}</span>
      {more && <span class="muted small"> · {more}</span>}
    </p>
  )
}
