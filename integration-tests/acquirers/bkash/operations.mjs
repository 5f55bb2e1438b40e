import { randomBytes } from "node:crypto"
import { bkashTime, checkCreate, formatAmount, refuse, requireAmount, requireFields } from "./checks.mjs"
import { WALLETS } from "./page.mjs"

const PARTIAL_REFUNDS_MAX = 10
/** The same amount from the same wallet, whatever the invoice. */
const REPEATED_WITHIN_MS = 120_000
const success = (fields) => ({ statusCode: "0000", statusMessage: "Successful", ...fields })
const letters = (count) =>
  [...randomBytes(count)].map((byte) => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[byte % 36]).join("")

/** What bKash does, on the stand-in's book. Each answers the body of the response, or throws a Refusal. */
export class Operations {
  constructor(standIn) {
    this.standIn = standIn
    this.book = standIn.book
  }

  create(body) {
    const amount = checkCreate(body)
    const agreement = body.agreementID && this.#agreement(body.agreementID)
    const paymentID = `TR${body.mode}${letters(8)}${Date.now()}`
    const payment = {
      paymentID,
      mode: body.mode,
      amount: amount ?? 0n,
      invoice: body.merchantInvoiceNumber,
      payerReference: body.payerReference,
      callbackURL: body.callbackURL,
      agreementID: agreement ? agreement.agreementID : null,
      hash: letters(24),
      state: "Initiated",
      /** Whether the shopper has agreed on the page: open, agreed, declined, cancelled. */
      shopper: "open",
      wallet: agreement ? agreement.wallet : null,
      trxID: null,
      executions: 0,
      createdAt: this.standIn.now(),
      executedAt: null,
    }
    this.book.payments.push(payment)
    const back = (status) => `${body.callbackURL}?${new URLSearchParams({ paymentID, status })}`
    const hash = new URLSearchParams({ paymentID, hash: payment.hash, mode: body.mode, apiVersion: "v1.2.0-beta" })
    return success({
      paymentID,
      bkashURL: `${this.standIn.url}/redirect/tokenized/?${hash}`,
      callbackURL: body.callbackURL,
      successCallbackURL: back("success"),
      failureCallbackURL: back("failure"),
      cancelledCallbackURL: back("cancel"),
      ...(body.mode === "0000" ? { payerReference: body.payerReference } : { amount: body.amount }),
      intent: body.intent,
      currency: body.currency,
      [body.mode === "0000" ? "agreementCreateTime" : "paymentCreateTime"]: bkashTime(payment.createdAt),
      [body.mode === "0000" ? "agreementStatus" : "transactionStatus"]: "Initiated",
      ...(payment.agreementID && { agreementID: payment.agreementID }),
      merchantInvoiceNumber: body.merchantInvoiceNumber,
    })
  }

  execute(body) {
    requireFields(body, ["paymentID"])
    const payment = this.#payment(body.paymentID)
    payment.executions += 1
    if (payment.state === "Completed") {
      refuse(payment.mode === "0000" ? 2116 : 2117)
    }
    const isUnattended = payment.mode === "0001" && this.standIn.options.unattended
    if (payment.shopper === "cancelled") {
      refuse(2069)
    }
    if (payment.shopper !== "agreed" && !isUnattended) {
      // Without the shopper's consent the payment stays as it is; a charge under an agreement wants the shopper.
      refuse(payment.mode === "0001" ? 2060 : 2056)
    }
    const { refusal } = WALLETS[payment.wallet] ?? {}
    if (refusal) {
      refuse(refusal)
    }
    return payment.mode === "0000" ? this.#agree(payment) : this.#pay(payment)
  }

  #agree(payment) {
    payment.state = "Completed"
    payment.executedAt = this.standIn.now()
    const agreementID = `TokenizedMerchant${letters(20)}`
    this.book.agreements.push({ agreementID, wallet: payment.wallet, state: "Completed" })
    return success({
      paymentID: payment.paymentID,
      agreementID,
      payerReference: payment.payerReference,
      customerMsisdn: payment.wallet,
      agreementExecuteTime: bkashTime(payment.executedAt),
      agreementStatus: "Completed",
    })
  }

  #pay(payment) {
    const since = this.standIn.now() - REPEATED_WITHIN_MS
    const isRepeated = ({ trxID, wallet, amount, executedAt }) =>
      trxID !== null && wallet === payment.wallet && amount === payment.amount && executedAt > since
    if (this.book.payments.some(isRepeated)) {
      refuse(2029)
    }
    payment.state = "Completed"
    payment.executedAt = this.standIn.now()
    payment.trxID = letters(10)
    return success({
      paymentID: payment.paymentID,
      payerReference: payment.payerReference,
      customerMsisdn: payment.wallet,
      trxID: payment.trxID,
      amount: formatAmount(payment.amount),
      transactionStatus: "Completed",
      paymentExecuteTime: bkashTime(payment.executedAt),
      currency: "BDT",
      intent: "sale",
      merchantInvoiceNumber: payment.invoice,
      ...(payment.agreementID && { agreementID: payment.agreementID }),
    })
  }

  query(body) {
    requireFields(body, ["paymentID"])
    const payment = this.#payment(body.paymentID)
    return success({
      paymentID: payment.paymentID,
      mode: payment.mode,
      paymentCreateTime: bkashTime(payment.createdAt),
      amount: formatAmount(payment.amount),
      currency: "BDT",
      intent: "sale",
      merchantInvoice: payment.invoice,
      transactionStatus: payment.state,
      verificationStatus: payment.shopper === "agreed" ? "Complete" : "Incomplete",
      userVerificationStatus: payment.shopper === "agreed" ? "Complete" : "Incomplete",
      payerReference: payment.payerReference,
      ...(payment.trxID && {
        trxID: payment.trxID,
        customerMsisdn: payment.wallet,
        paymentExecuteTime: bkashTime(payment.executedAt),
      }),
    })
  }

  search(body) {
    requireFields(body, ["trxID"])
    const payment = this.book.payments.find(({ trxID }) => trxID === body.trxID) ?? refuse(2033)
    return success({
      trxID: payment.trxID,
      transactionStatus: "Completed",
      transactionType: "bKash Tokenized Checkout via API",
      amount: formatAmount(payment.amount),
      currency: "BDT",
      customerMsisdn: payment.wallet,
      organizationShortCode: "50022",
      initiationTime: bkashTime(payment.createdAt),
      completedTime: bkashTime(payment.executedAt),
    })
  }

  agreement_status(body) {
    requireFields(body, ["agreementID"])
    const { agreementID, state, wallet } =
      this.book.agreements.find((agreement) => agreement.agreementID === body.agreementID) ?? refuse(2051)
    return success({ agreementID, agreementStatus: state, customerMsisdn: wallet })
  }

  agreement_cancel(body) {
    requireFields(body, ["agreementID"])
    const agreement = this.#agreement(body.agreementID)
    agreement.state = "Cancelled"
    return success({ agreementID: agreement.agreementID, agreementStatus: "Cancelled" })
  }

  refund(body) {
    const { payment, refunds } = this.#refundable(body, ["paymentId", "trxId", "refundAmount", "sku", "reason"])
    const amount = requireAmount(body.refundAmount, 2072)
    const limits = [
      [2075, body.sku.length <= 255],
      [2076, body.reason.length <= 255],
      [2081, refunds.length < PARTIAL_REFUNDS_MAX],
      [2072, refunds.reduce((sum, refund) => sum + refund.amount, amount) <= payment.amount],
      [2071, this.standIn.now() - payment.executedAt <= this.standIn.options.refundDays * 86_400_000],
    ]
    const failed = limits.find(([, isRight]) => !isRight)
    if (failed) {
      refuse(failed[0])
    }
    const isPending = this.standIn.faults.take("refund", ["pending"]) !== undefined
    const refund = {
      refundTrxId: letters(10),
      trxID: payment.trxID,
      amount,
      sku: body.sku,
      state: isPending ? "Pending" : "Completed",
      completedAt: this.standIn.now(),
    }
    this.book.refunds.push(refund)
    return {
      originalTrxId: payment.trxID,
      refundTrxId: refund.refundTrxId,
      refundTransactionStatus: refund.state,
      originalTrxAmount: formatAmount(payment.amount),
      refundAmount: formatAmount(amount),
      currency: "BDT",
      completedTime: bkashTime(refund.completedAt),
      sku: body.sku,
      reason: body.reason,
    }
  }

  refund_status(body) {
    const { payment } = this.#refundable(body, ["paymentId", "trxId"])
    return {
      originalTrxId: payment.trxID,
      originalTrxAmount: formatAmount(payment.amount),
      originalTrxCompletedTime: bkashTime(payment.executedAt),
      refundTransactions: this.book.refunds
        .filter(({ trxID }) => trxID === payment.trxID)
        .map((refund) => ({
          refundTrxId: refund.refundTrxId,
          refundTransactionStatus: refund.state,
          refundAmount: formatAmount(refund.amount),
          completedTime: bkashTime(refund.completedAt),
        })),
    }
  }

  #refundable(body, fields) {
    requireFields(body, fields)
    const payment = this.#payment(body.paymentId)
    if (payment.trxID === null || payment.trxID !== body.trxId) {
      refuse(2077)
    }
    const refunds = this.book.refunds.filter(({ trxID, state }) => trxID === payment.trxID && state !== "Failed")
    return { payment, refunds }
  }

  #payment(paymentID) {
    return this.book.payments.find((payment) => payment.paymentID === paymentID) ?? refuse(2002)
  }

  #agreement(agreementID) {
    const agreement = this.book.agreements.find((one) => one.agreementID === agreementID) ?? refuse(2051)
    return agreement.state === "Completed" ? agreement : refuse(2053)
  }
}
