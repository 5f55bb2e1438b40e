"use client"

import { useId, useState, type ReactNode } from "react"
import type { ChosenCash } from "../cash"
import { formatMoney, type Language, textsOf } from "../texts"
import type { ShopperError } from "../types"

/** The sums that the shopper has seen: an action refuses to place an order of others. */
export type ShownCash = Pick<ChosenCash, "dueNow" | "dueInCash">
/** `url`: the order's page, or the payment page of the advance. */
export type CashConfirmed = { ok: true; url: string } | { ok: false; error: ShopperError }
export type CodeSent = { ok: true; sentTo: string } | { ok: false; error: ShopperError }

export type CashButtonProps = {
  /** `readCash(cart.payment_collection?.payment_sessions)`; null: nothing can be pressed. */
  chosen: ChosenCash | null
  /** Of the cart. */
  currency: string
  /** Places the order, or begins the advance; in Next.js a server action. `code`: what was entered, where one is needed. */
  confirm: (shown: ShownCash, code: string) => Promise<CashConfirmed>
  /** Sends a code to the cart's phone; in Next.js a server action. */
  sendCode: () => Promise<CodeSent>
  language?: Language
  disabled?: boolean
  className?: string
  /** The class of the sums, of the code's fields, and of the message when something was refused. */
  textClassName?: string
  errorClassName?: string
  "data-testid"?: string
}

/**
 * Shows what is paid now and what in cash at the door, asks for the code of the phone where the store wants one, and
 * places the order or leaves for the payment page of the advance. It stays busy while the browser leaves.
 */
export function CashButton(props: CashButtonProps) {
  const { chosen, currency, confirm, language = "en", disabled = false, className, textClassName } = props
  const { cash: texts, errors, opening } = textsOf(language)
  const [code, setCode] = useState("")
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const money = (amount: string) => formatMoney(amount, currency, language)

  if (chosen === null) {
    return null
  }
  const { dueNow, dueInCash, needsCode } = chosen
  const isPaidNow = Number(dueNow) > 0

  async function press() {
    setBusy(true)
    setProblem(null)
    const confirmed = await confirm({ dueNow, dueInCash }, code).catch(
      // The action itself did not answer: the shop's own server cannot be reached.
      (): CashConfirmed => ({ ok: false, error: { code: "network", message: errors.network, detail: "no answer" } })
    )
    if (confirmed.ok) {
      location.assign(confirmed.url)
    } else {
      setBusy(false)
      setProblem(confirmed.error.message)
    }
  }

  return (
    <div lang={language}>
      <p className={textClassName} data-testid="cash-sums">
        {isPaidNow ? texts.sums(money(dueNow), money(dueInCash)) : texts.atDoor(money(dueInCash))}
      </p>
      {needsCode && <CodeField {...props} language={language} code={code} onCode={setCode} onProblem={setProblem} />}
      <button
        type="button"
        className={className}
        disabled={disabled || isBusy}
        aria-busy={isBusy}
        data-testid={props["data-testid"]}
        onClick={() => void press()}
      >
        {isBusy && isPaidNow ? opening : isPaidNow ? texts.payAdvance(money(dueNow)) : texts.place}
      </button>
      <p role="alert" className={props.errorClassName}>
        {problem}
      </p>
    </div>
  )
}

type CodeFieldProps = Pick<CashButtonProps, "sendCode" | "textClassName"> & {
  language: Language
  code: string
  onCode: (code: string) => void
  onProblem: (problem: string | null) => void
}

/** The shopper asks for the code: each message costs the shop money, and a phone gets few. */
function CodeField({ sendCode, textClassName, language, code, onCode, onProblem }: CodeFieldProps): ReactNode {
  const { cash: texts, errors } = textsOf(language)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const id = useId()

  async function send() {
    setSending(true)
    onProblem(null)
    const sent = await sendCode().catch((): CodeSent => ({
      ok: false,
      error: { code: "network", message: errors.network, detail: "no answer" },
    }))
    setSending(false)
    if (sent.ok) {
      setSentTo(sent.sentTo)
    } else {
      onProblem(sent.error.message)
    }
  }

  return (
    <div className={textClassName}>
      <p role="status">{sentTo !== null && texts.codeSent(sentTo)}</p>
      {sentTo !== null && (
        <p>
          <label htmlFor={id}>{texts.code}</label>{" "}
          <input
            id={id}
            data-testid="cash-code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => onCode(target.value)}
          />{" "}
          <span id={`${id}-hint`}>{texts.codeHint}</span>
        </p>
      )}
      <button type="button" data-testid="send-code" disabled={isSending} onClick={() => void send()}>
        {sentTo === null ? texts.sendCode : texts.sendAgain}
      </button>
    </div>
  )
}
