/** Bangladesh's 64 districts by division: the name stored in the address, and the name in Bangla. */
type District = readonly [name: string, bangla: string]
type Division = { name: string; bangla: string; districts: readonly District[] }

export const DIVISIONS: readonly Division[] = [
  {
    name: "Barishal",
    bangla: "বরিশাল",
    districts: [
      ["Barguna", "বরগুনা"],
      ["Barishal", "বরিশাল"],
      ["Bhola", "ভোলা"],
      ["Jhalokathi", "ঝালকাঠি"],
      ["Patuakhali", "পটুয়াখালী"],
      ["Pirojpur", "পিরোজপুর"],
    ],
  },
  {
    name: "Chattogram",
    bangla: "চট্টগ্রাম",
    districts: [
      ["Bandarban", "বান্দরবান"],
      ["Brahmanbaria", "ব্রাহ্মণবাড়িয়া"],
      ["Chandpur", "চাঁদপুর"],
      ["Chattogram", "চট্টগ্রাম"],
      ["Cox's Bazar", "কক্সবাজার"],
      ["Cumilla", "কুমিল্লা"],
      ["Feni", "ফেনী"],
      ["Khagrachhari", "খাগড়াছড়ি"],
      ["Lakshmipur", "লক্ষ্মীপুর"],
      ["Noakhali", "নোয়াখালী"],
      ["Rangamati", "রাঙ্গামাটি"],
    ],
  },
  {
    name: "Dhaka",
    bangla: "ঢাকা",
    districts: [
      ["Dhaka", "ঢাকা"],
      ["Faridpur", "ফরিদপুর"],
      ["Gazipur", "গাজীপুর"],
      ["Gopalganj", "গোপালগঞ্জ"],
      ["Kishoreganj", "কিশোরগঞ্জ"],
      ["Madaripur", "মাদারীপুর"],
      ["Manikganj", "মানিকগঞ্জ"],
      ["Munshiganj", "মুন্সীগঞ্জ"],
      ["Narayanganj", "নারায়ণগঞ্জ"],
      ["Narsingdi", "নরসিংদী"],
      ["Rajbari", "রাজবাড়ী"],
      ["Shariatpur", "শরীয়তপুর"],
      ["Tangail", "টাঙ্গাইল"],
    ],
  },
  {
    name: "Khulna",
    bangla: "খুলনা",
    districts: [
      ["Bagerhat", "বাগেরহাট"],
      ["Chuadanga", "চুয়াডাঙ্গা"],
      ["Jashore", "যশোর"],
      ["Jhenaidah", "ঝিনাইদহ"],
      ["Khulna", "খুলনা"],
      ["Kushtia", "কুষ্টিয়া"],
      ["Magura", "মাগুরা"],
      ["Meherpur", "মেহেরপুর"],
      ["Narail", "নড়াইল"],
      ["Satkhira", "সাতক্ষীরা"],
    ],
  },
  {
    name: "Mymensingh",
    bangla: "ময়মনসিংহ",
    districts: [
      ["Jamalpur", "জামালপুর"],
      ["Mymensingh", "ময়মনসিংহ"],
      ["Netrokona", "নেত্রকোণা"],
      ["Sherpur", "শেরপুর"],
    ],
  },
  {
    name: "Rajshahi",
    bangla: "রাজশাহী",
    districts: [
      ["Bogura", "বগুড়া"],
      ["Chapainawabganj", "চাঁপাইনবাবগঞ্জ"],
      ["Joypurhat", "জয়পুরহাট"],
      ["Naogaon", "নওগাঁ"],
      ["Natore", "নাটোর"],
      ["Pabna", "পাবনা"],
      ["Rajshahi", "রাজশাহী"],
      ["Sirajganj", "সিরাজগঞ্জ"],
    ],
  },
  {
    name: "Rangpur",
    bangla: "রংপুর",
    districts: [
      ["Dinajpur", "দিনাজপুর"],
      ["Gaibandha", "গাইবান্ধা"],
      ["Kurigram", "কুড়িগ্রাম"],
      ["Lalmonirhat", "লালমনিরহাট"],
      ["Nilphamari", "নীলফামারী"],
      ["Panchagarh", "পঞ্চগড়"],
      ["Rangpur", "রংপুর"],
      ["Thakurgaon", "ঠাকুরগাঁও"],
    ],
  },
  {
    name: "Sylhet",
    bangla: "সিলেট",
    districts: [
      ["Habiganj", "হবিগঞ্জ"],
      ["Moulvibazar", "মৌলভীবাজার"],
      ["Sunamganj", "সুনামগঞ্জ"],
      ["Sylhet", "সিলেট"],
    ],
  },
]

/** A district's name in the shop's language; an unknown one as it is. */
export const districtName = (district: string, isBangla: boolean): string =>
  DIVISIONS.flatMap(({ districts }) => districts).find(([name]) => isBangla && name === district)?.[1] ?? district

/** The division of a district; undefined for an unknown district. */
export function divisionOf(district: string): string | undefined {
  return DIVISIONS.find(({ districts }) => districts.some(([name]) => name === district))?.name
}
