import { shareStore } from "../support/store"

shareStore("core", { container: true })
