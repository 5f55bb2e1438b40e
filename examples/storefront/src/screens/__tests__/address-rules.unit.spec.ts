import "../../lib/__tests__/english"
import { readAddress, type FieldName } from "../address-rules"

const good: Record<FieldName, string> = {
  name: "Rahima Khatun Begum",
  phone: "+880 1712-345678",
  email: "rahima@example.com",
  street: "  House 12,   Road 5 ",
  area: "Dhanmondi",
  district: "Dhaka",
  postcode: "১২০৫",
}
const read = (changes: Partial<Record<FieldName, string>> = {}) =>
  readAddress((name) => ({ ...good, ...changes })[name])

describe("readAddress", () => {
  it("turns what was typed into the address that Medusa keeps", () => {
    const { address, problems } = read()
    expect([...problems]).toEqual([])
    expect(address).toEqual({
      email: "rahima@example.com",
      first_name: "Rahima Khatun",
      last_name: "Begum",
      phone: "01712345678",
      address_1: "House 12, Road 5",
      address_2: "Dhanmondi",
      city: "Dhaka",
      province: "Dhaka",
      postal_code: "1205",
    })
  })

  it("takes a single name", () => {
    expect(read({ name: "Rahima" }).address).toMatchObject({ first_name: "Rahima", last_name: "" })
  })

  it("does without an area, an e-mail address and a postcode: the courier calls the phone", () => {
    const { address, problems } = read({ area: "", email: " ", postcode: "" })
    expect([problems.size, address.email, address.postal_code]).toEqual([0, null, ""])
  })

  it.each<[FieldName, string]>([
    ["name", "   "],
    ["phone", "0171234567"],
    ["email", "rahima@example"],
    ["email", "rahima example.com"],
    ["street", ""],
    ["district", ""],
    ["district", "Elsewhere"],
    ["postcode", "123"],
    ["postcode", "0123"],
    ["postcode", "12345"],
  ])("complains about %s %p alone", (field, value) => {
    const { problems } = read({ [field]: value })
    expect([...problems.keys()]).toEqual([field])
    expect(problems.get(field)).toMatch(/\w+/)
  })
})
