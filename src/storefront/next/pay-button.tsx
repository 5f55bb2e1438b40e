"use client"

import { useEffect, useState, type ReactNode } from "react"
import { type Language, textsOf } from "../texts"
import type { ShopperError, StartedPayment } from "../types"

export type PayButtonProps = {
  /** Calls `startPayment`, or places the order of a cart that costs nothing; in Next.js a server action. */
  start: () => Promise<Pick<Extract<StartedPayment, { ok: true }>, "ok" | "url"> | { ok: false; error: ShopperError }>
  language?: Language
  disabled?: boolean
  className?: string
  /** The class of the message when the payment could not be started. */
  errorClassName?: string
  onError?: (error: ShopperError) => void
  /** What the button says; default: "Pay". */
  children?: ReactNode
  "data-testid"?: string
}

/**
 * Starts a payment and leaves for the payment page. It stays busy while the browser leaves, so that a second click starts
 * no second payment, and shows below itself why a payment could not be started.
 */
export function PayButton(props: PayButtonProps) {
  const { start, language = "en", disabled = false, className, errorClassName, onError, children } = props
  const texts = textsOf(language)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  // Back from the payment page, browsers may show this page again as it was left, with a busy button. The event also comes
  // at the end of the first load, perhaps after a click: then the payment is being started, and the button stays busy.
  useEffect(() => {
    const wakeUp = ({ persisted }: PageTransitionEvent) => {
      if (persisted) {
        setBusy(false)
      }
    }
    addEventListener("pageshow", wakeUp)
    return () => removeEventListener("pageshow", wakeUp)
  }, [])

  function fail(error: ShopperError) {
    setBusy(false)
    setProblem(error.message)
    onError?.(error)
  }

  async function pay() {
    setBusy(true)
    setProblem(null)
    try {
      const started = await start()
      if (started.ok) {
        location.assign(started.url)
      } else {
        fail(started.error)
      }
    } catch (error) {
      // The action itself did not answer: the shop's own server cannot be reached.
      fail({ code: "network", message: texts.errors.network, detail: String(error) })
    }
  }

  return (
    <>
      <button
        type="button"
        className={className}
        disabled={disabled || isBusy}
        aria-busy={isBusy}
        data-testid={props["data-testid"]}
        onClick={() => void pay()}
      >
        {isBusy ? texts.opening : (children ?? texts.payNow)}
      </button>
      <p role="alert" className={errorClassName} lang={language}>
        {problem}
      </p>
    </>
  )
}
