/** The 64 districts of Bangladesh in lower case, and former spellings of them that shoppers still write. */
// prettier-ignore
const DISTRICTS: ReadonlySet<string> = new Set([
  "bagerhat", "bandarban", "barguna", "barisal", "barishal", "bhola", "bogra", "bogura", "brahmanbaria",
  "chandpur", "chapai nawabganj", "chapainawabganj", "chattogram", "chittagong", "chuadanga", "comilla",
  "cox's bazar", "coxs bazar", "cumilla", "dhaka", "dinajpur", "faridpur", "feni", "gaibandha", "gazipur",
  "gopalganj", "habiganj", "jamalpur", "jashore", "jessore", "jhalokathi", "jhalokati", "jhenaidah",
  "joypurhat", "khagrachari", "khagrachhari", "khulna", "kishoreganj", "kurigram", "kushtia", "lakshmipur",
  "lalmonirhat", "laxmipur", "madaripur", "magura", "manikganj", "maulvibazar", "meherpur", "moulvi bazar",
  "moulvibazar", "munshiganj", "mymensingh", "naogaon", "narail", "narayanganj", "narsingdi", "natore",
  "netrakona", "netrokona", "nilphamari", "noakhali", "pabna", "panchagarh", "patuakhali", "pirojpur",
  "rajbari", "rajshahi", "rangamati", "rangpur", "satkhira", "shariatpur", "sherpur", "sirajganj", "sunamganj",
  "sylhet", "tangail", "thakurgaon",
])

/**
 * The district of an address, as it is written there: the city if that is a district, as where the province is the
 * division (Gazipur in Dhaka); otherwise the province, as where the city is an area (Savar in Dhaka).
 */
export function districtOf(city: string | null | undefined, province: string | null | undefined): string | null {
  const [town, region] = [city, province].map((text) => text?.trim() ?? "")
  return DISTRICTS.has(town.toLowerCase()) ? town : region || town || null
}
