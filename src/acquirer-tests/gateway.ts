import type { ChargeRequest, Hint, Minor, PaymentRequest, References, RefundRequest } from "../acquirers"
import { type Answer, type Bench, incoming, newKey, promise, textOf } from "./bench"
import type { BroughtBack, Movement, PaidPayment } from "./stand-in"

type Moved = () => Promise<readonly Movement[]>

/** Times at which the gateway asks again about an open payment or refund, in seconds after the first question. */
const ASKED_AGAIN = [60, 600, 900, 1_200]
/** Tries of a call whose answer allows another one at once. */
const TRIES = 3

/** References as the gateway keeps them: those of every answer and every `save`, new ones over old ones. */
class Kept {
  references: References = {}
  /** What a process that ends before the answer leaves behind. */
  saved: References = {}

  readonly save = async (references: References): Promise<void> => {
    this.references = { ...this.references, ...references }
    this.saved = { ...this.saved, ...references }
  }

  async of<T extends Answer>(answer: Promise<T>): Promise<T> {
    const settled = await answer
    this.references = { ...this.references, ...settled.references }
    return settled
  }
}

/** Whether what an answer says is what the acquirer's books show. Throws Broken. */
export function requireTrue(call: string, answer: Answer, kind: Movement["kind"], all: readonly Movement[]): void {
  const moved = all.filter((movement) => movement.kind === kind)
  promise(moved.length <= 1, `the money has moved ${moved.length} times: ${textOf(moved)}`)
  const [movement] = moved
  if (answer.result === "done" && answer.authorized === undefined) {
    promise(movement !== undefined, `${call} answered done, and no money has moved: ${textOf(answer)}`)
    const { reference, amount, currency } = answer
    const isSame = reference === movement.reference && amount === movement.amount && currency === movement.currency
    promise(isSame, `${call} answered ${textOf(answer)}, and the books show ${textOf(movement)}`)
  }
  const isDenied = answer.result === "refused" || answer.result === "absent"
  promise(!isDenied || movement === undefined, `${call} answered ${textOf(answer)}, and the money has moved`)
}

/** After the last question: money that has moved is found, or left to an operator (`needs_operator`). */
export function requireFound(call: string, answer: Answer, moved: readonly Movement[]): void {
  const isFound = answer.result === "done" || (answer.result === "unknown" && answer.needs_operator === true)
  promise(moved.length === 0 || isFound, `the money has moved, and ${call} still answers ${textOf(answer)}`)
}

/** One attempt to pay, asked for and asked about as the gateway does it. */
export class Attempt {
  readonly kept = new Kept()
  readonly request: PaymentRequest
  /** The acquirer's page; null: nobody was sent there. */
  url: string | null = null
  /** Whether answers are compared with the books: not when the tests change what the acquirer says. */
  compares = true

  private constructor(
    private readonly bench: Bench,
    readonly moved: Moved,
    request: PaymentRequest
  ) {
    this.request = { ...request, save: this.kept.save }
  }

  /** `amount`: 1,357.93 without it, in which nothing is round. */
  static async of(bench: Bench, amount: Minor = 135_793n, changes: Partial<PaymentRequest> = {}): Promise<Attempt> {
    return new Attempt(bench, await bench.books(), bench.request(amount, changes))
  }

  /** Starts it, and once more as long as the answer says that the same call may be made again. */
  async start(): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.kept.of<Answer>(this.bench.ask("start", (acquirer) => acquirer.start(this.request)))
      await this.requireTrue("start", answer)
      if (answer.result === "redirect") {
        this.url = (answer as Answer & { url: string }).url
      }
      if (answer.result !== "refused" || answer.retry !== true || attempt === TRIES) {
        return answer
      }
    }
  }

  /**
   * Starts it and lets the shopper act; answers the outcome. An inline adapter has it at once. `isBack`: whether the
   * browser comes back; the gateway asks by itself else.
   */
  async played(act: "pay" | "decline" | "cancel", isBack = true): Promise<Answer> {
    const started = await this.start()
    if (this.url === null) {
      return this.found(started)
    }
    const back = await this.bench.standIn.shopper(this.url, act)
    return this.settled(isBack ? back : null)
  }

  /** The browser is back: the outcome, asked for until it is clear. */
  async settled(back: BroughtBack): Promise<Answer> {
    return this.found(await this.hinted(this.hintIn(back)))
  }

  hintIn(back: BroughtBack): Hint | null {
    return back === null ? null : (this.bench.acquirer.readReturn?.(incoming(back)) ?? null)
  }

  /** Its own references are never replaced by those of a hint, which may be forged. */
  async hinted(hint: Hint | null, references = this.kept.references): Promise<Answer> {
    const known = { ...hint?.references, ...references }
    return hint?.claims === "paid" && this.bench.acquirer.confirm !== undefined
      ? this.confirm(known)
      : this.asked(0, known)
  }

  /** Asks what became of it; asks for the money where only that is missing. `after`: seconds. */
  async asked(after = 0, references = this.kept.references): Promise<Answer> {
    const request = this.question(after, references)
    const answer = await this.kept.of<Answer>(this.bench.ask("query", (acquirer) => acquirer.query(request)))
    await this.requireTrue("query", answer)
    return answer.result === "unknown" && answer.agreed === true ? this.confirm(this.kept.references) : answer
  }

  /** Closes it, where the adapter can; null: it cannot. */
  async abandoned(): Promise<Answer | null> {
    if (this.bench.acquirer.abandon === undefined) {
      return null
    }
    const request = this.question(0, this.kept.references)
    const answer = await this.kept.of<Answer>(this.bench.ask("abandon", (acquirer) => acquirer.abandon!(request)))
    await this.requireTrue("abandon", answer)
    return answer
  }

  /** Asks again, later and later, until the outcome is clear. */
  async found(first: Answer): Promise<Answer> {
    let answer = first
    for (const after of ASKED_AGAIN) {
      if (answer.result !== "unknown") {
        break
      }
      answer = await this.asked(after)
    }
    requireFound("query", answer, await this.moved())
    return answer
  }

  question(after: number, references: References) {
    const { key, amount, currency, service, expires_at, now } = this.request
    const asked_at = new Date(now.getTime() + after * 1_000)
    return { key, amount, currency, service, expires_at, references, now: asked_at, save: this.kept.save }
  }

  private async confirm(references: References): Promise<Answer> {
    const request = this.question(0, references)
    const confirmed = this.bench.ask("confirm", (acquirer) => acquirer.confirm!(request))
    const answer = await this.kept.of<Answer>(confirmed)
    await this.requireTrue("confirm", answer)
    return answer
  }

  private async requireTrue(call: string, answer: Answer): Promise<void> {
    if (this.compares) {
      requireTrue(call, answer, "payment", await this.moved())
    }
  }
}

/** A paid payment, whose refunds, captures and notifications a case needs. Throws Broken when it was not paid. */
export async function paid(bench: Bench, amount?: Minor, changes?: Partial<PaymentRequest>) {
  const attempt = await Attempt.of(bench, amount, changes)
  const answer = await attempt.played("pay")
  const { reference } = answer
  promise(
    answer.result === "done" && reference !== undefined,
    `a shopper has paid, and the answer is ${textOf(answer)}`
  )
  const payment: PaidPayment = { key: attempt.request.key, reference, references: attempt.kept.references }
  return { attempt, answer, payment }
}

type Paid = Awaited<ReturnType<typeof paid>>

/** A refund, asked for and asked about as the gateway does it. */
export class Refunding {
  readonly kept = new Kept()
  readonly key = newKey()
  /** As of an attempt. */
  compares = true

  private constructor(
    private readonly bench: Bench,
    private readonly of: Paid,
    readonly amount: Minor,
    private readonly others: readonly Refunding[],
    readonly moved: Moved
  ) {}

  static async of(bench: Bench, payment: Paid, amount: Minor, others: readonly Refunding[] = []): Promise<Refunding> {
    return new Refunding(bench, payment, amount, others, await bench.books())
  }

  get request(): RefundRequest {
    const { request } = this.of.attempt
    return {
      key: this.key,
      amount: this.amount,
      currency: request.currency,
      references: this.kept.references,
      reason: "Two tins were dented",
      payment: { ...this.of.payment, amount: request.amount },
      other_refunds: this.others.map(({ kept }) => kept.references),
      now: new Date(request.now.getTime() + 2_000),
      save: this.kept.save,
    }
  }

  async sent(): Promise<Answer> {
    const answer = await this.kept.of<Answer>(this.bench.ask("refund", (acquirer) => acquirer.refund(this.request)))
    await this.requireTrue("refund", answer)
    return answer
  }

  async asked(): Promise<Answer> {
    await this.bench.standIn.finishRefunds?.()
    const asked = this.bench.ask("refundStatus", (acquirer) => acquirer.refundStatus(this.request))
    const answer = await this.kept.of<Answer>(asked)
    await this.requireTrue("refundStatus", answer)
    return answer
  }

  /** Asks until the outcome is clear; a refund that the acquirer has never received is requested again. */
  async found(first: Answer): Promise<Answer> {
    let answer = first
    for (
      let count = 0;
      count < ASKED_AGAIN.length && answer.result !== "done" && answer.result !== "refused";
      count++
    ) {
      answer = answer.result === "absent" ? await this.sent() : await this.asked()
    }
    requireFound("refundStatus", answer, await this.moved())
    return answer
  }

  private async requireTrue(call: string, answer: Answer): Promise<void> {
    if (this.compares) {
      requireTrue(call, answer, "refund", await this.moved())
    }
  }
}

/** A charge of a kept instrument, asked for and asked about as the gateway does it. */
export class Charging {
  readonly kept = new Kept()
  readonly key = newKey()

  private constructor(
    private readonly bench: Bench,
    readonly token: string,
    readonly amount: Minor,
    readonly moved: Moved
  ) {}

  static async of(bench: Bench, token: string, amount: Minor = 99_907n): Promise<Charging> {
    return new Charging(bench, token, bench.fitting(amount), await bench.books())
  }

  async sent(): Promise<Answer> {
    const answer = await this.kept.of<Answer>(this.bench.ask("charge", (acquirer) => acquirer.charge!(this.request)))
    requireTrue("charge", answer, "payment", await this.moved())
    return answer
  }

  async found(first: Answer): Promise<Answer> {
    let answer = first
    for (let count = 0; count < ASKED_AGAIN.length && answer.result === "unknown"; count++) {
      const { key, amount, currency, service, now, save } = this.request
      const expires_at = new Date(now.getTime() + 1_800_000)
      const { references } = this.kept
      const question = { key, amount, currency, service, now, save, references, expires_at }
      answer = await this.kept.of<Answer>(this.bench.ask("query", (acquirer) => acquirer.query(question)))
      requireTrue("query", answer, "payment", await this.moved())
    }
    requireFound("query", answer, await this.moved())
    return answer
  }

  private get request(): ChargeRequest {
    const { currency, service, now } = this.bench.request(this.amount)
    const { key, amount, token } = this
    const { references, save } = this.kept
    return { key, amount, currency, service, now, token, description: "Tea every month", references, save }
  }
}
