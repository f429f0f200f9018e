/** The people and companies of Acme Lamps, a shop that does not exist. */
export const agents = [
  { name: "Robin Owner", email: "owner@desk.example", admin: true, active: true },
  { name: "Maria Lindqvist", email: "maria@acme-lamps.example", admin: true, active: true },
  { name: "Tomasz Zieliński", email: "tomasz@acme-lamps.example", admin: false, active: true },
  { name: "Amara Okafor", email: "amara@acme-lamps.example", admin: false, active: true },
  { name: "Jun Sato", email: "jun@acme-lamps.example", admin: false, active: true },
  { name: "Sofía Herrera", email: "sofia@acme-lamps.example", admin: false, active: true },
  // She left: her tickets stay hers.
  { name: "Beatrix Vogel", email: "beatrix@acme-lamps.example", admin: false, active: false },
  { name: "Phone line", email: null, admin: false, active: true },
] as const;

export const teams = [
  { name: "Orders", purpose: "Everything until the lamp is there.", members: [2, 4, 8] },
  { name: "Repairs", purpose: "The workshop in the back.", members: [3, 5] },
  { name: "Invoices", purpose: "Money in, money out.", members: [2, 6] },
  { name: "Shops", purpose: "Companies that sell our lamps.", members: [6, 7] },
] as const;

export const companies = [
  {
    name: "Harbour Hotel",
    domains: ["harbour-hotel.example"],
    notes: "40 rooms. They order in <b>tens</b>.",
  },
  { name: "Café Lumière", domains: ["cafe-lumiere.example"], notes: null },
  {
    name: "Nordlicht Interiors GmbH & Co. KG",
    domains: ["nordlicht.example", "nl-interiors.example"],
    notes: "Pays by invoice, 30 days.",
  },
  { name: "Studio Kanda 神田", domains: ["kanda.example"], notes: null },
  {
    name: "City Library",
    domains: ["library.example"],
    notes: "Purchase orders only. Ask for the PO number first.",
  },
  { name: "Brightside Resale", domains: [], notes: "On hold since the dispute." },
] as const;

export const customers = [
  {
    name: "Ada Brookes",
    emails: ["ada@brookes.example"],
    phones: ["+44 20 7946 0018"],
    company: null,
    language: "en-GB",
  },
  { name: "Ben Carter", emails: ["ben.carter@mail.example"], phones: [], company: null, language: "en-US" },
  {
    name: "Chloé Dubois",
    emails: ["chloe@cafe-lumiere.example", "chloe.dubois@mail.example"],
    phones: ["+33 1 99 00 12 34"],
    company: 2,
    language: "fr",
  },
  { name: "Dmitri Volkov", emails: ["dmitri@mail.example"], phones: [], company: null, language: null },
  { name: "Elif Yılmaz", emails: ["elif@mail.example"], phones: [], company: null, language: "tr" },
  {
    name: "Front desk",
    emails: ["desk@harbour-hotel.example"],
    phones: ["ext. 12", "+1 555 0100"],
    company: 1,
    language: "en-US",
  },
  { name: "Giulia Romano", emails: ["giulia@mail.example"], phones: [], company: null, language: "it" },
  {
    name: "Hassan Ali",
    emails: ["hassan@library.example"],
    phones: ["+1 555 0177"],
    company: 5,
    language: "en-US",
  },
  { name: "Ingrid Nørgaard", emails: ["ingrid@nordlicht.example"], phones: [], company: 3, language: "da" },
  { name: "神田 葵", emails: ["aoi@kanda.example"], phones: ["+81 3 0000 0000"], company: 4, language: "ja" },
  { name: "Kwame Mensah", emails: ["kwame@mail.example"], phones: [], company: null, language: "en-GB" },
  { name: "Léa Martin", emails: ["lea@cafe-lumiere.example"], phones: [], company: 2, language: "fr" },
  { name: "نور حداد", emails: ["nour@mail.example"], phones: [], company: null, language: "ar" },
  { name: "Olga Petrenko", emails: ["olga@brightside.example"], phones: [], company: 6, language: "uk" },
  {
    name: "Priya Raman",
    emails: ["priya@mail.example"],
    phones: ["+91 80 0000 0000"],
    company: null,
    language: "en-IN",
  },
  { name: "Quinn O’Hara", emails: ["quinn@mail.example"], phones: [], company: null, language: "en-IE" },
  { name: "Rosa Jiménez", emails: ["rosa@mail.example"], phones: [], company: null, language: "es" },
  // The same address twice: they share a mailbox.
  {
    name: "Stefan Huber",
    emails: ["familie.huber@mail.example"],
    phones: [],
    company: null,
    language: "de-AT",
  },
  {
    name: "Theresa Huber",
    emails: ["familie.huber@mail.example"],
    phones: [],
    company: null,
    language: "de-AT",
  },
  // Only ever called.
  { name: "U. Werner", emails: [], phones: ["+49 30 0000 000"], company: null, language: null },
] as const;
