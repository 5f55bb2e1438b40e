import type { CheckoutPage } from "../../../modules/gateway/checkout/page"

export type { CheckoutPage, PageItem } from "../../../modules/gateway/checkout/page"

export type PageMethod = CheckoutPage["methods"][number]
export type MethodKind = PageMethod["kind"]
export type PaymentService = PageMethod["services"][number]

/** Reads one checkout. Errors: SESSION_NOT_FOUND. */
export type LoadPage = (sessionId: string) => Promise<CheckoutPage>
