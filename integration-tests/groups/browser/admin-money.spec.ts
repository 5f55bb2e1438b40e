import { shareStore } from "../../support/store"

shareStore("browser/admin-money", { shop: true, withAdmin: true })
