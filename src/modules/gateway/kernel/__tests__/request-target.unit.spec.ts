import { redactTarget } from "../http/request-target"

const SESSION = `ses_${"Sx9-_".repeat(6)}ab`
const INVOICE = `inp_${"0123456789abcdef".repeat(2)}`
const PORTAL = `ptl_${"Px9-_".repeat(6)}ab`
const LINK = `plk_${"0123456789abcdef".repeat(2)}`

describe("decisions: Origins — a target as a log may hold it", () => {
  it.each([
    [`/pay/${SESSION}`, "/pay/[hidden]"],
    [`/pay/${SESSION}/return?status=x`, "/pay/[hidden]/return?status=x"],
    [`/pay/link/${LINK}?status=FAILED`, "/pay/link/[hidden]?status=FAILED"],
    ["/pay/link/whatever", "/pay/link/[hidden]"],
    [`/app?next=${LINK}`, "/app?next=plk_[hidden]"],
    [`/portal/${PORTAL}`, "/portal/[hidden]"],
    [`/portal/${PORTAL}/subscriptions/7?done=paused`, "/portal/[hidden]/subscriptions/7?done=paused"],
    [`/portal/%70tl_${PORTAL.slice(4)}/invoices`, "/portal/[hidden]/invoices"],
    ["/portal/mer_whatever", "/portal/[hidden]"],
    [`/x?next=${PORTAL}`, "/x?next=ptl_[hidden]"],
    [`/pay/invoice/${INVOICE}/pdf?lang=bn`, "/pay/invoice/[hidden]/pdf?lang=bn"],
    [`/pay/%73es_${SESSION.slice(4)}`, "/pay/[hidden]"],
    [`/pay/${SESSION.slice(0, 9)}`, "/pay/[hidden]"],
    [`/api/v2/sandbox/sessions/${SESSION}/pay`, "/api/v2/sandbox/sessions/ses_[hidden]/pay"],
    [`/x?next=%2Fpay%2F${SESSION}&y=1`, "/x?next=%2Fpay%2Fses_[hidden]&y=1"],
    [`/x?next=%252Fpay%252F${SESSION}`, "/x?next=%252Fpay%252Fses_[hidden]"],
    [
      `/gateway/acquirers/bkash/return/pay${"0a".repeat(13)}f?status=x`,
      "/gateway/acquirers/bkash/return/[hidden]?status=x",
    ],
    [`/api/v2?key=sk_live_${"a".repeat(43)}`, "/api/v2?key=sk_live_[hidden]"],
    [`/x#whsec_${"Ab+/".repeat(11)}=`, "/x#whsec_[hidden]"],
  ])("%s becomes %s", (target, expected) => {
    expect(redactTarget(target)).toBe(expected)
  })

  it.each([
    "/pay/assets/pay-1a2b3c.css",
    "/pay/link",
    "/pay/invoice",
    "/portal",
    "/portal?lang=bn",
    "/portal/mer_0123456789abcdef0123456789/sandbox",
    "/portal/return?status=SUCCESS",
    "/pay/invoice?x=1",
    "/api/v2/payments/verify/txn0123456789abcdef0123456789abcdef?x=%20y",
    "/admin/gateway/payments?q=expenses_2026",
    "/%ff/%",
    "",
  ])("%s stays", (target) => {
    expect(redactTarget(target)).toBe(target)
  })
})
