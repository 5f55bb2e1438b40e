import { openStandIns, STAND_INS } from "../support/acquirer-stand-ins"
import { shareStore } from "../support/store"

openStandIns()
shareStore("acquirers", { production: true, env: STAND_INS })
