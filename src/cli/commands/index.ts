import type { Command } from "../command"
import { advance, clock } from "./clock"
import { doctor } from "./doctor"
import { resend } from "./events"
import { init } from "./init"
import { createKey, rotateSecrets } from "./keys"
import { listen } from "./listen"
import { payments } from "./payments"
import { trigger } from "./trigger"

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  init,
  doctor,
  listen,
  trigger,
  resend,
  payments,
  clock,
  advance,
  createKey,
  rotateSecrets,
]
