/** Headers in which a client claims addresses that are not its own. */
export const FORGED = {
  "X-Forwarded-For": "203.0.113.77",
  "X-Real-IP": "203.0.113.78",
  Forwarded: "for=203.0.113.79",
}
/** The address that requests of the tests come from. */
export const LOOPBACK = /^(127\.0\.0\.1|::1)$/
