import type { AcquirerDefinition } from "../port"
import { KEY_MAX_CHARS, privateKeyRule, publicKeyRule } from "./keys"

/** IPv4 in its usual form: Nagad's header takes no other. */
const BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)"

export const nagad: AcquirerDefinition = {
  id: "nagad",
  name: "Nagad",
  services: ["NAGAD"],
  currencies: ["BDT"],
  credentials: [
    {
      name: "merchant_id",
      variable: "NAGAD_MERCHANT_ID",
      secret: false,
      required: true,
      max_length: 20,
      pattern: /^\d{6,20}$/,
    },
    {
      name: "merchant_number",
      variable: "NAGAD_MERCHANT_NUMBER",
      secret: false,
      required: false,
      max_length: 11,
      pattern: /^01\d{9}$/,
    },
    {
      // Not to be read, but kept like a secret: whoever replaces it decides whose answers are believed, and a key that
      // Nagad renews does not make another account of this one.
      name: "public_key",
      variable: "NAGAD_PUBLIC_KEY",
      secret: true,
      required: true,
      max_length: KEY_MAX_CHARS,
      multiline: true,
      rule: publicKeyRule,
    },
    {
      name: "private_key",
      variable: "NAGAD_PRIVATE_KEY",
      secret: true,
      required: true,
      max_length: KEY_MAX_CHARS,
      multiline: true,
      rule: privateKeyRule,
    },
    {
      // The address that Nagad has registered; without it the first one of this machine.
      name: "server_ip",
      variable: "NAGAD_SERVER_IP",
      secret: false,
      required: false,
      max_length: 15,
      pattern: new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`),
    },
  ],
  open: (context) => {
    const { NagadAcquirer } = require("./adapter") as typeof import("./adapter")
    return new NagadAcquirer(context)
  },
}
