import { HOME_CURRENCY } from "../../../../../modules/gateway/kernel/money/currencies"
import { operation } from "../../../../v2-kit/operation"
import { balance, balanceMeta, presentBalances } from "./resource"
import { envelopedWithMeta } from "../../../../v2-kit/answers"

/** The merchant's balances in BDT, from the ledger. */
export const GET = operation({
  id: "getBalance",
  tag: "Balance",
  summary: "Get the balance",
  description: "What the merchant has, by account of the ledger.",
  scope: "payments:read",
  answer: envelopedWithMeta({
    message: "Balance",
    data: balance,
    meta: balanceMeta,
    description: "The balance in BDT.",
    example: {
      data: {
        currency: "BDT",
        available: "968.74",
        refunds_in_progress: "250.50",
        disputed: "0.00",
        accounts: {
          merchant_balance: "968.74",
          acquirer_clearing: "-1250.50",
          fees: "31.26",
          refunds: "250.50",
          payouts: "0.00",
          disputes: "0.00",
          dispute_claims: "0.00",
          cash_due: "0.00",
          cash_received: "0.00",
          courier_charges: "0.00",
          cash_orders: "0.00",
          settlements: "0.00",
          acquirer_fees: "0.00",
          acquirer_vat: "0.00",
          settlement_differences: "0.00",
          bank: "0.00",
          bank_charges: "0.00",
          emi_costs: "0.00",
        },
      },
      meta: { timestamp: "2027-03-01T10:00:00.000Z" },
    },
  }),
  run: async ({ gateway, caller }) => {
    const balances = await gateway.ledger.balances(caller, HOME_CURRENCY)
    return { data: presentBalances(HOME_CURRENCY, balances), meta: { timestamp: caller.now.toISOString() } }
  },
})
