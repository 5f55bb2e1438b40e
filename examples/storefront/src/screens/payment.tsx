import type { Outcome } from "medusa-payment-gateway/storefront"
import { Notice, NoticeArea, showProblem } from "../components/notice"
import { fill, h, type View } from "../lib/dom"
import { describeError } from "../lib/errors"
import { href, replace, type Page, type ScreenRequest } from "../lib/router"
import { wait } from "../lib/wait"
import { adoptCart, cartId, forgetCart } from "../store/cart"
import { chooseEmi } from "../store/emi"
import { awaitOutcome, closePayment, openPayment } from "../store/payment"
import { t } from "../text"

const SLOW_AFTER_MS = 5_000

/** Where the shopper lands after paying: finds out what became of the payment, and goes on from there. */
export function paymentScreen({ params, signal }: ScreenRequest): Page {
  const content = <div class="narrow centred" />
  void followPayment(params.transaction ?? "", content, signal)
  return { title: t.payment.title, content }
}

async function followPayment(transactionId: string, place: View, signal: AbortSignal): Promise<void> {
  const again = () => void followPayment(transactionId, place, signal)
  const slow = <div />
  const problem = <NoticeArea id="payment-problem" />
  fill(place, <Confirming />, slow, problem)
  void wait(SLOW_AFTER_MS, signal).then(() => fill(slow, <Slow />))
  try {
    const outcome = await awaitOutcome(transactionId, signal, (reached) => {
      // Written once per silence, or a screen reader would repeat it with every attempt.
      if (reached) {
        problem.replaceChildren()
      } else if (!problem.hasChildNodes()) {
        showProblem(problem, t.payment.unreachable)
      }
    })
    if (outcome.state === "unknown") {
      fill(place, <Unknown />)
    } else if (outcome.state === "open" || signal.aborted) {
      fill(place, <StillOpen onCheck={again} />)
    } else {
      replace(settle(outcome))
    }
  } catch (error) {
    fill(place, <Failed error={error} onCheck={again} />)
  }
}

/** Brings the cart in step with a payment that has an outcome, and answers the screen to show. */
export function settle(outcome: Exclude<Outcome, { state: "open" | "unknown" }>): string {
  const isOwn = openPayment() === outcome.sessionId
  if (isOwn) {
    closePayment()
  }
  if (outcome.state === "paid") {
    forgetCart(outcome.cartId)
    chooseEmi(null)
    return `/orders/${encodeURIComponent(outcome.orderId)}`
  }
  // The cart was lost here meanwhile, and the shopper wants to try again. Only where the payment was opened: anybody can
  // send a link with a transaction of theirs, and a shopper would go on with the sender's cart and address.
  if (isOwn && !cartId()) {
    adoptCart(outcome.cartId)
  }
  return `/checkout/pay?payment=${outcome.state}`
}

function Confirming(): View {
  return (
    <div role="status">
      <div class="spinner" />
      <h1>{t.payment.title}</h1>
      <p class="lead">{t.payment.waiting}</p>
    </div>
  )
}

function Slow(): View {
  return (
    <div role="status">
      <p>{t.payment.slow}</p>
      <p>
        <a href={href("/checkout/pay")}>{t.payment.notPaid}</a>
      </p>
    </div>
  )
}

function StillOpen({ onCheck }: { onCheck: () => void }): View {
  return (
    <div role="status">
      <h1>{t.payment.stillOpenTitle}</h1>
      <p class="lead">{t.payment.stillOpen}</p>
      <p class="actions">
        <button class="button" type="button" onClick={onCheck}>
          {t.payment.checkAgain}
        </button>
        <a href={href("/checkout/pay")}>{t.payment.notPaid}</a>
      </p>
    </div>
  )
}

function Unknown(): View {
  return (
    <div role="status">
      <h1>{t.payment.unknownTitle}</h1>
      <p class="lead">{t.payment.unknown}</p>
      <p>
        <a class="button" href={href("/cart")}>
          {t.payment.toCart}
        </a>
      </p>
    </div>
  )
}

function Failed({ error, onCheck }: { error: unknown; onCheck: () => void }): View {
  return (
    <div>
      <h1>{t.somethingWrong}</h1>
      <Notice kind="problem">{describeError(error)}</Notice>
      <p>
        <button class="button" type="button" onClick={onCheck}>
          {t.payment.checkAgain}
        </button>
      </p>
    </div>
  )
}
