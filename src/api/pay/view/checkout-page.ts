import type { CheckoutPage } from "../../../modules/gateway/checkout/page"

export type { CheckoutPage, PageItem } from "../../../modules/gateway/checkout/page"

export type PageMethod = CheckoutPage["methods"][number]
export type MethodKind = PageMethod["kind"]
export type PaymentService = PageMethod["services"][number]
