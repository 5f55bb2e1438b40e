import { linkMail } from "../link-mail"

const URL = "https://pay.example.com/portal/ptl_x"
const mail = (changes: object = {}) =>
  linkMail({
    merchant: "Tea & Söhne",
    name: "Rahima",
    url: URL,
    language: "en",
    environment: "production",
    ...changes,
  })

describe("docs/decisions/18 — the e-mail with a link", () => {
  it("has the link in HTML and text, escapes names, and marks the sandbox", () => {
    const { subject, html, text } = mail({ name: "<b>Rahima</b>" })
    expect(subject).toBe("Your link to manage your subscriptions with Tea & Söhne")
    expect(html).toContain(`href="${URL}"`)
    expect([text.includes(URL), html.includes("<b>Rahima"), html.includes("Tea &amp; Söhne")]).toEqual([
      true,
      false,
      true,
    ])
    expect(mail({ environment: "sandbox" }).subject).toMatch(/^\[Test mode\] /)
    expect(mail({ language: "bn" }).html).toContain("প্রিয় Rahima,")
  })

  it("a line break in a merchant's name begins no other header, and the HTML loads nothing", () => {
    expect(mail({ merchant: "Tea\r\nBcc: x@example.com" }).subject).not.toMatch(/[\r\n]/)
    expect(mail().html).not.toMatch(/<(img|link|script)|src=/)
  })
})
