import { isFree, missedMinimum, textsOf, type ShopperError } from "medusa-payment-gateway/storefront"
import { cashChoice, type CashChoice } from "../components/cash"
import { emiLabel } from "../components/emi"
import { Notice, NoticeArea, isBusy, showProblem, whileBusy } from "../components/notice"
import { LockIcon } from "../components/icons"
import { Steps } from "../components/steps"
import { AddressText, ItemList, Totals } from "../components/summary"
import { byId, fill, h, type Children, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { taka } from "../lib/format"
import { Redirect, href, replace, type Page, type ScreenRequest } from "../lib/router"
import { wait } from "../lib/wait"
import { cartReference, itemCount, loadCart, missingStep } from "../store/cart"
import { offersCash } from "../store/cash"
import { chosenEmi, findEmi, optionOf, type EmiOption } from "../store/emi"
import {
  ANY_WAY,
  byEmi,
  goToPay,
  IN_CASH,
  PAYMENT_CHOICES,
  placeFreeOrder,
  startPayment,
  type PaymentChoice,
} from "../store/payment"
import type { Plans } from "../store/plans"
import type { Cart } from "../store/types"
import { language, t } from "../text"
import { requireAccount } from "./checkout-account"

const storefrontTexts = textsOf(language)
const LEAVING_MS = 15_000
const ENDED = ["declined", "cancelled", "expired", "refunded"] as const

/** The review before paying. `?payment=declined` (or another outcome) shows how the previous attempt ended. */
export async function payScreen({ query, signal }: ScreenRequest): Promise<Page> {
  const cart = await readyCart()
  const plans = await requireAccount(cart, "/checkout/pay")
  const chosen = chosenEmi()
  // Offers for this very cart: its total includes the delivery now.
  const emi = chosen === null ? null : optionOf(await findEmi({ cart_id: cart.id }), chosen)
  // A subscription is paid online: nobody could charge its renewals otherwise.
  const takesCash = plans.size === 0 && (await offersCash())
  return {
    title: t.pay.title,
    content: (
      <div class="narrow">
        <Steps current="pay" />
        <h1>{t.pay.title}</h1>
        <Outcome of={query.get("payment")} />
        <PayForm cart={cart} plans={plans} emi={emi} takesCash={takesCash} signal={signal} />
      </div>
    ),
  }
}

async function readyCart(): Promise<Cart> {
  const cart = await loadCart()
  if (!cart || itemCount(cart) === 0) {
    throw new Redirect("/cart")
  }
  const missing = missingStep(cart)
  if (missing) {
    throw new Redirect(`/checkout/${missing}`)
  }
  return cart
}

/** The outcome of the previous attempt, as a text only: the store alone decides what may be paid. */
function Outcome({ of }: { of: string | null }): View | null {
  const outcome = ENDED.find((state) => state === of)
  if (outcome === undefined) {
    return null
  }
  const { title, text } = storefrontTexts.outcomes[outcome]
  return (
    <Notice kind={outcome === "declined" || outcome === "refunded" ? "problem" : "info"} title={title}>
      {text}
    </Notice>
  )
}

/** Items, address and prices, each with a link to change it. */
function Review({ cart, plans }: { cart: Cart; plans: Plans }): View {
  return (
    <div>
      <div class="panel">
        <ItemList items={cart.items} plans={plans} />
        <Totals of={cart} withDelivery />
      </div>
      <div class="panel panel-row">
        <div>
          <h2>{t.pay.address}</h2>
          {cart.shipping_address && <AddressText address={cart.shipping_address} />}
        </div>
        <a href={href("/checkout/address")} aria-label={t.delivery.changeAddress}>
          {t.delivery.change}
        </a>
      </div>
      <div class="panel panel-row">
        <div>
          <h2>{t.pay.delivery}</h2>
          <p>{cart.shipping_methods?.[0]?.name}</p>
        </div>
        <a href={href("/checkout/delivery")} aria-label={t.pay.changeDelivery}>
          {t.delivery.change}
        </a>
      </div>
    </div>
  )
}

function labelOf(id: PaymentChoice["id"], emi: EmiOption | null): string {
  if (id === "any" || id === "emi") {
    return id === "emi" && emi ? emiLabel(emi, true) : t.pay.choices.any
  }
  if (id === "cash") {
    return storefrontTexts.cash.title
  }
  return storefrontTexts.methods[id]
}

function Ways({ choices, emi }: { choices: readonly PaymentChoice[]; emi: EmiOption | null }): View {
  return (
    <fieldset class="choice">
      <legend>{t.pay.how}</legend>
      <p class="hint" id="how-hint">
        {t.pay.howHint}
      </p>
      <div class="pills">
        {choices.map(({ id }) => (
          <label class="pill">
            <input type="radio" name="choice" value={id} checked={id === (emi ? "emi" : ANY_WAY.id)} />
            <span>{labelOf(id, emi)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Why a cart has no way to pay: it costs nothing, or less than the smallest payment. */
function insteadOfWays(cart: Cart): View | null {
  const minimum = missedMinimum(cart)
  if (minimum === null) {
    return isFree(cart) ? <p class="nothing-to-pay">{t.pay.free}</p> : null
  }
  return (
    <div class="notice-area">
      <Notice kind="problem">{storefrontTexts.belowMinimum(taka(cart.total), taka(minimum))}</Notice>
    </div>
  )
}

type PayFormProps = { cart: Cart; plans: Plans; emi: EmiOption | null; takesCash: boolean; signal: AbortSignal }

function choicesOf({ emi, takesCash }: Pick<PayFormProps, "emi" | "takesCash">): PaymentChoice[] {
  return [...(emi ? [byEmi(emi.uuid)] : []), ...PAYMENT_CHOICES, ...(takesCash ? [IN_CASH] : [])]
}

/** What the press leads to: with instalments everything that is paid, interest and fee included. */
function labelFor(cart: Cart, choice: string, emi: EmiOption | null, cash: CashChoice): Children {
  if (isFree(cart)) {
    return t.pay.place
  }
  if (choice === IN_CASH.id) {
    return cash.isOnline() ? [<LockIcon />, cash.label()] : cash.label()
  }
  const amount =
    emi !== null && choice === "emi"
      ? t.pay.payMonthly(taka(Number(emi.monthly_installment)), taka(Number(emi.total_with_fee)))
      : t.pay.pay(taka(cart.total))
  return [<LockIcon />, amount]
}

function PayForm({ cart, plans, emi, takesCash, signal }: PayFormProps): View {
  const choices = choicesOf({ emi, takesCash })
  const cash = cashChoice(() => label())
  let shown = cart
  const review = <div />
  const ways = <Ways choices={choices} emi={emi} />
  const payment = <div />
  const form = (
    <form novalidate onSubmit={submit} onChange={(event: Event) => isWay(event) && choose()}>
      <p class="cart-reference muted small">{t.pay.reference(cartReference(cart))}</p>
      {review}
      {payment}
      {cash.view}
      <NoticeArea id="pay-problem" />
      <button class="button button-wide" id="pay" type="submit" />
    </form>
  ) as HTMLFormElement
  const [button, problem] = [byId<HTMLButtonElement>(form, "pay"), byId(form, "pay-problem")]
  show(cart)

  function show(next: Cart) {
    shown = next
    fill(review, <Review cart={next} plans={plans} />)
    fill(payment, insteadOfWays(next) ?? ways)
    button.hidden = missedMinimum(next) !== null
    choose()
  }

  function chosen(): PaymentChoice {
    return choices.find(({ id }) => id === new FormData(form).get("choice")) ?? ANY_WAY
  }

  function choose() {
    const isInCash = chosen().id === IN_CASH.id
    cash.view.toggleAttribute("hidden", !isInCash)
    byId(ways, "how-hint").hidden = isInCash
    label()
    if (isInCash) {
      // Busy meanwhile: nobody confirms sums that are not there, and no other payment is started beside this one.
      void whileBusy(button, t.pay.reckoning, () => cash.show(shown)).then(label)
    }
  }

  function label() {
    fill(button, labelFor(shown, chosen().id, emi, cash))
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy(button)) {
      return
    }
    problem.replaceChildren()
    const choice = chosen()
    try {
      const stopped = await whileBusy(button, busyText(choice, cash), () => leaveToPay(shown, choice, cash, signal))
      label()
      if (stopped && "code" in stopped) {
        showProblem(problem, stopped.message)
      } else if (stopped) {
        show(stopped)
        showProblem(problem, t.pay.changed)
      }
    } catch (error) {
      refuse(problem, error)
    }
  }

  return form
}

const busyText = ({ id }: PaymentChoice, cash: CashChoice): string =>
  id === IN_CASH.id && !cash.isOnline() ? t.pay.placing : t.pay.opening

const isWay = ({ target }: Event): boolean => (target as HTMLInputElement | null)?.name === "choice"

function refuse(problem: Element, error: unknown): void {
  if (error instanceof Redirect) {
    replace(error.path)
  } else {
    showProblem(problem, describeError(error))
  }
}

/**
 * Sends the browser to the payment page. Returns the cart when its total is no longer the one the shopper saw, or why
 * the payment could not be started; null when that is said already.
 */
async function leaveToPay(
  shown: Cart,
  choice: PaymentChoice,
  cash: CashChoice,
  signal: AbortSignal
): Promise<Cart | ShopperError | null> {
  // Another tab may have changed the cart meanwhile: a shopper must not pay a total they have not seen.
  const latest = await readyCart()
  if (latest.total !== shown.total) {
    return latest
  }
  if (isFree(latest)) {
    throw new Redirect(await placeFreeOrder(latest))
  }
  const started = choice.id === IN_CASH.id ? await cash.confirm(latest) : await startPayment(latest, choice)
  if (started === null) {
    return null
  }
  if (typeof started === "string") {
    throw new Redirect(started)
  }
  if ("code" in started) {
    return started
  }
  goToPay(started)
  // The button stays busy while the browser leaves, so that a second click starts no second payment.
  await wait(LEAVING_MS, signal)
  return null
}
