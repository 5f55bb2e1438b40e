import { randomBytes } from "node:crypto"
import {
  openEnvelope,
  refuse,
  requireAmount,
  requireCallback,
  requireTime,
  shownAmount,
  shownTime,
  stamp,
} from "./checks.mjs"

const ORDER_ID = /^[A-Za-z0-9]{5,20}$/
const letters = (count) =>
  [...randomBytes(count)].map((byte) => "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"[byte % 34]).join("")
const money = (minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`

/** What Nagad does, on the stand-in's book. `{ sealed }` is encrypted and signed before it is sent. */
export class Operations {
  constructor(standIn) {
    this.standIn = standIn
    this.book = standIn.book
  }

  initialize([merchantId, orderId], body) {
    const fields = this.#open(body, ["merchantId", "datetime", "orderId", "challenge"])
    const now = this.standIn.now()
    if (merchantId !== fields.merchantId || merchantId !== this.standIn.credentials.merchant_id) {
      refuse("InvalidMerchant", "Merchant is not valid")
    }
    if (body.accountNumber !== undefined && !/^01\d{9}$/.test(body.accountNumber)) {
      refuse("InvalidMerchant", "accountNumber")
    }
    if (body.dateTime !== fields.datetime) {
      refuse("InvalidApiRequest", "dateTime")
    }
    requireTime(body.dateTime, new Date())
    if (orderId !== fields.orderId || !ORDER_ID.test(orderId)) {
      refuse("InvalidOrderId", "Order id is not valid")
    }
    if (!/^[A-Za-z0-9-]{32,40}$/.test(fields.challenge)) {
      refuse("InvalidApiRequest", "challenge")
    }
    if (this.book.payments.some((payment) => payment.orderId === orderId)) {
      refuse("DuplicateOrderId", "Order id is used already")
    }
    const time = `${stamp(now).slice(4)}${String(now.getMilliseconds()).padStart(3, "0")}`
    const tail = randomBytes(10).toString("hex")
    const payment = {
      paymentRefId: Buffer.from(`${time}.${merchantId}.${orderId}.${tail}`).toString("base64"),
      orderId,
      challenge: randomBytes(20).toString("hex"),
      amount: null,
      callbackURL: null,
      status: "OrderInitiated",
      orderedAt: now,
      paidAt: null,
      issuerPaymentRefNo: null,
      wallet: null,
      cancelIssuerRefNo: null,
      cancelledAt: null,
    }
    this.book.payments.push(payment)
    const { paymentRefId: paymentReferenceId, challenge } = payment
    return { sealed: { paymentReferenceId, challenge, acceptDateTime: stamp(now) } }
  }

  complete([paymentRefId], body) {
    const payment = this.#payment(paymentRefId)
    const fields = this.#open(body, ["merchantId", "orderId", "amount", "currencyCode", "challenge"])
    if (fields.merchantId !== this.standIn.credentials.merchant_id || fields.orderId !== payment.orderId) {
      refuse("InvalidOrderId", "Order id is not valid")
    }
    if (fields.currencyCode !== "050") {
      refuse("InvalidCurrency", "Currency is not valid")
    }
    if (payment.challenge === null || fields.challenge !== payment.challenge) {
      refuse("InvalidApiRequest", "The challenge is not the one that was issued, or was used before")
    }
    requireCallback(body.merchantCallbackURL)
    payment.amount = requireAmount(fields.amount)
    payment.callbackURL = body.merchantCallbackURL
    payment.challenge = null
    return {
      plain: { status: "Success", callBackUrl: `${this.standIn.url}/check-out/${encodeURIComponent(paymentRefId)}` },
    }
  }

  verify([paymentRefId]) {
    const payment = this.#payment(paymentRefId)
    const { credentials } = this.standIn
    const time = (at) => at && shownTime(at)
    return {
      plain: {
        merchantId: credentials.merchant_id,
        orderId: payment.orderId,
        paymentRefId: payment.paymentRefId,
        amount: payment.amount === null ? null : shownAmount(payment.amount),
        clientMobileNo: payment.wallet && `${payment.wallet.slice(0, 3)}****${payment.wallet.slice(-4)}`,
        merchantMobileNo: credentials.merchant_number,
        orderDateTime: time(payment.orderedAt),
        issuerPaymentDateTime: time(payment.paidAt),
        issuerPaymentRefNo: payment.issuerPaymentRefNo,
        additionalMerchantInfo: null,
        status: payment.status,
        statusCode: payment.status === "Success" ? "000" : null,
        cancelIssuerDateTime: time(payment.cancelledAt),
        cancelIssuerRefNo: payment.cancelIssuerRefNo,
      },
    }
  }

  cancel(_parts, body, query) {
    const payment = this.#payment(query.get("paymentRefId"))
    const names = [
      "merchantId",
      "originalRequestDate",
      "originalAmount",
      "cancelAmount",
      "referenceNo",
      "referenceMessage",
    ]
    const fields = this.#open({ ...body, sensitiveData: body.sensitiveDataCancelRequest }, names)
    if (query.get("orderId") !== payment.orderId || fields.merchantId !== this.standIn.credentials.merchant_id) {
      refuse("InvalidOrderId", "Order id is not valid")
    }
    if (payment.paidAt === null || fields.originalRequestDate !== stamp(payment.paidAt).slice(0, 8)) {
      refuse("InvalidPurchaseInformation", "The original request date does not match")
    }
    const amount = requireAmount(fields.cancelAmount)
    const before = this.book.refunds.filter(({ paymentRefId }) => paymentRefId === payment.paymentRefId)
    const sum = before.reduce((total, refund) => total + refund.amount, amount)
    if (requireAmount(fields.originalAmount) !== payment.amount || sum > payment.amount) {
      refuse("InvalidPurchaseInformation", "The amount does not match")
    }
    if (!/^[A-Za-z0-9]{1,20}$/.test(fields.referenceNo) || fields.referenceMessage === "") {
      refuse("InvalidReferenceId", "Reference is not valid")
    }
    const cancelTrxId = letters(8)
    const isWhole = sum === payment.amount
    const status =
      before.length > 0 ? (isWhole ? "Refunded" : "PartialRefunded") : isWhole ? "Cancelled" : "PartialCancelled"
    this.book.refunds.push({
      cancelTrxId,
      paymentRefId: payment.paymentRefId,
      amount,
      referenceNo: fields.referenceNo,
      referenceMessage: fields.referenceMessage,
    })
    Object.assign(payment, { status, cancelIssuerRefNo: cancelTrxId, cancelledAt: this.standIn.now() })
    const { originalAmount, referenceNo } = fields
    return { sealed: { status, originalAmount, cancelAmount: money(amount), cancelTrxId, referenceNo } }
  }

  /** What the shopper does on the page. */
  act(payment, action, wallet) {
    payment.wallet = wallet
    if (action === "pay") {
      Object.assign(payment, { status: "Success", issuerPaymentRefNo: letters(8), paidAt: this.standIn.now() })
    } else {
      payment.status = action === "cancel" ? "Cancelled" : "Failed"
    }
  }

  #open({ sensitiveData: data, signature }, names) {
    return openEnvelope({ data, signature }, names, this.standIn)
  }

  #payment(reference) {
    return (
      this.book.payments.find(({ paymentRefId }) => paymentRefId === reference) ??
      refuse("InvalidReferenceId", "No such payment")
    )
  }
}
